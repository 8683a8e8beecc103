// What does a phase act on?
import { setTimeout as sleep } from "node:timers/promises";
import { BenchApi } from "./api.js";
import { MemberState } from "./member-state.js";
import { Meter } from "./meter.js";
import type { BenchOptions } from "./options.js";
import { Changes } from "./signal.js";
import { NAMESPACE, objectOf, pathOf, policyObject, type Template } from "./templates.js";
import { WorkState } from "./work-state.js";
import type { Env } from "../clusters/index.js";

/** Everything that the phases share. */
export interface World {
  readonly options: BenchOptions;
  readonly host: BenchApi;
  readonly members: readonly MemberState[];
  readonly works: WorkState;
  readonly changes: Changes;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

const POLICIES = `/apis/policy.karmada.io/v1alpha1/namespaces/${NAMESPACE}/propagationpolicies`;
const AT_A_TIME = 20;
const NAMESPACE_MS = 60_000;

/** The clusters of an environment as the driver sees them. @throws Error when there are not two members. */
export function worldOf(env: Env, options: BenchOptions, signal: AbortSignal): World {
  const names = Object.keys(env.members).sort();
  if (names.length !== 2) throw new Error(`${env.dir}: there are ${names.length} members; a bench is about 2`);
  const pids = ["admission", "watcher"].map(name => env.pids[name] ?? 0);
  if (pids.includes(0)) throw new Error(`${env.dir}: the operator does not run; bring clusters up with --operator`);
  const changes = new Changes();
  const host = new BenchApi("host", env.host.kubeconfig);
  const apis = names.map(name => new BenchApi(name, env.members[name]?.kubeconfig ?? ""));
  const members = apis.map(api => new MemberState(api, changes));
  const meter = new Meter({ host, members: apis, pids, signal });
  return { options, host, members, works: new WorkState(host, changes), changes, meter, signal };
}

/** Makes the policy and starts to watch; returns when all is quiet. */
export async function setUp(world: World): Promise<void> {
  const { host, members, signal, meter } = world;
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };
  await host.request("POST", "/api/v1/namespaces", { body: namespace, fine: [409] });
  const policy = policyObject(members.map(({ api }) => api.name));
  await host.request("POST", POLICIES, { body: policy, fine: [409] });
  await setPreserve(world, false);
  await Promise.all(members.map(member => member.start(signal)));
  await meter.settle();
}

/** Removes what `setUp` made on the host, and what a run that was cut short left of its templates. */
export async function clearAway({ host, meter }: World): Promise<void> {
  await host.request("DELETE", `/api/v1/namespaces/${NAMESPACE}`, { fine: [404, 409] });
  const deadline = Date.now() + NAMESPACE_MS;
  while (Date.now() < deadline && !(await isGone(host))) await sleep(500);
  await meter.settle();
}

async function isGone(host: BenchApi): Promise<boolean> {
  const answer = await host.request<{ code?: number }>("GET", `/api/v1/namespaces/${NAMESPACE}`, { fine: [404] });
  return answer.code === 404;
}

/** Tells the policy whether copies stay when their template goes. */
export async function setPreserve({ host }: World, preserve: boolean): Promise<void> {
  const body = { spec: { preserveResourcesOnDeletion: preserve } };
  await host.request("PATCH", `${POLICIES}/bench`, { body, type: "application/merge-patch+json" });
}

/** How many copies both members have. */
export function copies({ members }: World): number {
  return members.reduce((sum, { size }) => sum + size, 0);
}

/** Makes one template on the host. */
export async function create({ host }: World, template: Template): Promise<void> {
  await host.request("POST", pathOf(template.kind), { body: objectOf(template) });
}

/** Deletes one template on the host. */
export async function remove({ host }: World, { kind, name }: Template): Promise<void> {
  await host.request("DELETE", `${pathOf(kind)}/${name}`, { fine: [404] });
}

/** Does it for each, twenty at a time. */
export async function forEach(templates: readonly Template[], act: (one: Template) => Promise<void>): Promise<void> {
  const left = [...templates];
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}
