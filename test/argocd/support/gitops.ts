// How does a test act on Argo CD as a person would, and wait for what it says?
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { ARGOCD_NAMESPACE } from "../../../hack/argocd/components.js";
import { readEnv, type Env } from "../../../hack/clusters/index.js";
import { isNotFound } from "../../../lib/kube/errors.js";
import { eventually } from "../../integration/support/eventually.js";
import { Site, type DeleteOptions, type Target } from "../../integration/support/site.js";
import { argoCdSettings } from "./page.js";
import {
  APPLICATIONS,
  applicationOf,
  linesOf,
  type Application,
  type ApplicationStatus,
  type Wish,
} from "./application.js";
import { Repository } from "../../gitops/repository.js";
import { learnAll } from "../../gitops/kinds.js";

/**
 * The ceiling of whatever is waited for: several suites may share the machine, and what Argo CD does not hear of it finds
 * when it looks by itself, after two to three minutes.
 */
export const CEILING_MS = 240_000;

/** One file's way to Argo CD, the host and the members. */
export class GitOps {
  readonly #applications = new Set<string>();
  readonly #repositories: Repository[] = [];

  private constructor(
    readonly env: Env,
    readonly host: Site,
    readonly member1: Site,
    readonly member2: Site,
  ) {}

  static open(env: Env): GitOps {
    const [host, member1, member2] = ["host", "member1", "member2"].map(name => learnAll(Site.of(env, name)));
    if (!host || !member1 || !member2) throw new Error("a host and two members are needed");
    host.learn(APPLICATIONS);
    return new GitOps(env, host, member1, member2);
  }

  /** Argo CD as the page tells to set it up. */
  async configure(data: Readonly<Record<string, string | null>> = {}): Promise<void> {
    const target = { kind: "ConfigMap", namespace: ARGOCD_NAMESPACE, name: "argocd-cm" };
    await this.host.patch(target, { data: { ...argoCdSettings(), ...data } });
  }

  async repository(): Promise<Repository> {
    const repository = await Repository.make();
    this.#repositories.push(repository);
    return repository;
  }

  /** Applications that the test makes by other ways go with the file as well. */
  remember(...names: readonly string[]): void {
    for (const name of names) this.#applications.add(name);
  }

  /** Creates an Application, or changes it. */
  async apply(wish: Wish): Promise<void> {
    this.#applications.add(wish.name);
    await this.host.applyObject(applicationOf(wish));
  }

  async find(name: string): Promise<Application | undefined> {
    return (await this.host.find(targetOf(name))) as Application | undefined;
  }

  /** Asks Argo CD to look at Git and cluster again, and waits until it has. `hard` forgets what Git was rendered to. */
  async refreshed(name: string, how: "normal" | "hard" = "normal"): Promise<ApplicationStatus> {
    const key = "argocd.argoproj.io/refresh";
    await this.host.patch(targetOf(name), { metadata: { annotations: { [key]: how } } });
    return eventually(
      `${name} was refreshed`,
      async () => {
        const application = await this.find(name);
        return application?.metadata.annotations?.[key] === undefined && application?.status;
      },
      CEILING_MS,
    );
  }

  /** Waits until an Application is as wanted; what it is instead stands in the error. */
  until(name: string, what: string, wanted: (status: ApplicationStatus) => boolean, ceilingMs = CEILING_MS) {
    return eventually(
      `${name} ${what}`,
      async () => {
        const status = (await this.find(name))?.status;
        if (status && wanted(status)) return status;
        throw new Error(JSON.stringify({ ...status, resources: linesOf(status), history: undefined }));
      },
      ceilingMs,
    );
  }

  /** Waits for what every story hopes for. With a revision, that one was compared, and the sync to it has ended. */
  untilWell(name: string, revision?: string, ceilingMs?: number): Promise<ApplicationStatus> {
    return this.until(name, "is Synced and Healthy", status => isWell(status, revision), ceilingMs);
  }

  /** Commits were made: looks at them and waits until they are everywhere. */
  async arrived(name: string, revision: string): Promise<ApplicationStatus> {
    await this.refreshed(name);
    return this.untilWell(name, revision);
  }

  /** A sync by hand, as `argocd app sync` asks for it; waits for its end and returns how it ended. */
  async sync(
    name: string,
    options: { readonly syncOptions?: readonly string[]; readonly force?: boolean; readonly prune?: boolean } = {},
  ) {
    const { syncOptions = [], force = false, prune = false } = options;
    const syncStrategy = { apply: { force } };
    // Within one second two syncs begin at the same time, as far as Argo CD tells.
    const mark = { name: "test", value: randomUUID() };
    await this.until(name, "is at no sync", ({ operationState }) => operationState?.phase !== "Running");
    const operation = {
      ...{ initiatedBy: { username: "test" }, info: [mark] },
      sync: { syncOptions: [...syncOptions], syncStrategy, prune },
    };
    await this.host.patch(targetOf(name), { operation });
    const ended = await this.until(name, "has ended its sync", ({ operationState }) => {
      const isOurs = operationState?.operation?.info?.some(({ value }) => value === mark.value);
      return isOurs === true && operationState?.finishedAt !== undefined && operationState.phase !== "Running";
    });
    if (!ended.operationState) throw new Error("unreachable");
    return ended.operationState;
  }

  async delete(name: string, options?: DeleteOptions): Promise<void> {
    await this.host.delete(targetOf(name), options);
  }

  untilGone(name: string, ceilingMs = CEILING_MS): Promise<true> {
    return eventually(
      `Application ${name} is gone`,
      async () => {
        const left = await this.find(name);
        if (!left) return true;
        const { conditions, sync, health, reconciledAt } = left.status ?? {};
        const view = { conditions, sync: sync?.status, health, reconciledAt, resources: linesOf(left.status) };
        throw new Error(JSON.stringify({ finalizers: left.metadata.finalizers, ...view }));
      },
      ceilingMs,
    );
  }

  /** What Argo CD shows of an Application as a tree: what Git has, and what grew out of it. */
  async tree(name: string): Promise<readonly TreeNode[]> {
    const { nodes = [] } = await this.#server<{ nodes?: readonly TreeNode[] }>(
      "GET",
      `/applications/${name}/resource-tree`,
    );
    return nodes;
  }

  /** Runs an action of Argo CD's on an object of an Application. */
  async act(application: string, object: KubeObject, action: string): Promise<void> {
    const [version = "", group = ""] = object.apiVersion.split("/").reverse();
    const { name: resourceName, namespace = "" } = object.metadata;
    const body = { name: application, namespace, resourceName, group, version, kind: object.kind, action };
    await this.#server("POST", `/applications/${application}/resource/actions/v2`, body);
  }

  /** The actions that Argo CD offers for an object: enabled ones only. */
  async actions(application: string, object: KubeObject): Promise<string[]> {
    const [version = "", group = ""] = object.apiVersion.split("/").reverse();
    const { name, namespace = "" } = object.metadata;
    const query = new URLSearchParams({ resourceName: name, namespace, group, version, kind: object.kind });
    const path = `/applications/${application}/resource/actions?${query.toString()}`;
    const { actions = [] } = await this.#server<{ actions?: readonly { name: string; disabled?: boolean }[] }>(
      "GET",
      path,
    );
    return actions
      .filter(({ disabled }) => !disabled)
      .map(({ name: action }) => action)
      .sort();
  }

  /** Everything goes that the file's tests made; what is left of an Application has no say in it. */
  async close(): Promise<void> {
    for (const name of this.#applications) await this.#forget(name);
    await Promise.all([this.host, this.member1, this.member2].map(site => site.close()));
    await Promise.all(this.#repositories.map(repository => repository.close()));
  }

  async #forget(name: string): Promise<void> {
    try {
      await this.host.patch(targetOf(name), { metadata: { finalizers: null } });
      await this.delete(name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #server<T = unknown>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.env.argocd}/api/v1${path}`, {
      ...{ method, headers: { "content-type": "application/json" } },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

/** A node of the tree. */
export interface TreeNode {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly parentRefs?: readonly { readonly kind: string; readonly name: string }[];
  readonly health?: { readonly status: string; readonly message?: string };
}

/** For one file: open before its tests, closed after them, Argo CD set up as the page says. */
export function gitOps(): () => GitOps {
  let open: GitOps | undefined;
  beforeAll(async () => {
    open = GitOps.open(readEnv(inject("clusters")));
    await open.configure();
  });
  afterAll(() => open?.close());
  return () => {
    if (!open) throw new Error("only within a test");
    return open;
  };
}

function isWell({ sync, health, operationState }: ApplicationStatus, revision: string | undefined): boolean {
  if (sync?.status !== "Synced" || health?.status !== "Healthy") return false;
  if (operationState?.phase === "Running") return false;
  return revision === undefined || sync.revision === revision;
}

function targetOf(name: string): Target {
  return { kind: "Application", namespace: ARGOCD_NAMESPACE, name };
}
