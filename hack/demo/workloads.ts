// What is there to know about a Deployment and what runs for it?
import type { ObjectMeta } from "../../crds/object.js";
import type { Stage } from "./stage.js";

/** What the story reads of a Deployment. */
export interface Deployment {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}

/** Which very object it is, and which very pods. */
export interface Identity {
  readonly uid: string;
  /** uids of the pods, sorted. */
  readonly pods: readonly string[];
}

/** Anything of which only the metadata counts. */
export interface Thing {
  readonly metadata: ObjectMeta;
}

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const MARK = /karmada|holdfast/i;

/** A Deployment of namespace default; undefined when there is none. */
export function deployment(stage: Stage, cluster: string, name: string): Promise<Deployment | undefined> {
  return stage.read<Deployment>(cluster, `${DEPLOYMENTS}/${name}`);
}

/** How many of its pods are Ready; 0 when there is no such Deployment. */
export async function ready(stage: Stage, cluster: string, name: string): Promise<number> {
  return (await deployment(stage, cluster, name))?.status?.readyReplicas ?? 0;
}

/** @throws Error when there is no such Deployment. */
export async function identityOf(stage: Stage, cluster: string, name: string): Promise<Identity> {
  const found = await deployment(stage, cluster, name);
  if (!found) throw new Error(`${cluster}: there is no Deployment ${name}`);
  const pods = await listed(stage, cluster, `/api/v1/namespaces/default/pods?labelSelector=app%3D${name}`);
  return { uid: found.metadata.uid ?? "", pods: pods.map(pod => pod.metadata.uid ?? "").sort() };
}

/** Whether it is the same object with the same pods: none was made anew. */
export function isUnchanged(before: Identity, after: Identity): boolean {
  return before.uid === after.uid && before.pods.join() === after.pods.join();
}

/** The marks on a Deployment, its ReplicaSets and its pods, as `KEY on NAME`; owners of fields count too. */
export async function marksOf(stage: Stage, cluster: string, name: string): Promise<string[]> {
  const query = `?labelSelector=app%3D${name}`;
  const paths = [DEPLOYMENTS, "/apis/apps/v1/namespaces/default/replicasets", "/api/v1/namespaces/default/pods"];
  const lists = await Promise.all(paths.map(path => listed(stage, cluster, `${path}${query}`)));
  return marksIn(lists.flat());
}

/** The marks of Holdfast and of Karmada in some metadata: keys, finalizers and names of field managers. */
export function marksIn(things: readonly Thing[]): string[] {
  return things.flatMap(({ metadata }) => {
    const { labels, annotations, finalizers = [], managedFields = [] } = metadata;
    const managers = managedFields.map(({ manager }) => manager ?? "");
    const words = [...Object.keys({ ...labels, ...annotations }), ...finalizers, ...managers];
    return words.filter(word => MARK.test(word)).map(word => `${word} on ${metadata.name}`);
  });
}

/** The Works on the host whose names begin with the template's. */
export async function worksOf(stage: Stage, name: string): Promise<string[]> {
  const works = await listed(stage, "host", "/apis/work.karmada.io/v1alpha1/works");
  return works.map(({ metadata }) => metadata.name).filter(work => work.startsWith(`${name}-`));
}

async function listed(stage: Stage, cluster: string, path: string): Promise<readonly Thing[]> {
  return (await stage.read<{ readonly items: readonly Thing[] }>(cluster, path))?.items ?? [];
}
