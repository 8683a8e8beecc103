// How does a test act on Flux as a person would, and wait for what it says?
import { afterAll, beforeAll, inject } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { readEnv, type Env } from "../../../hack/clusters/index.js";
import { FLUX_NAMESPACE } from "../../../hack/flux/components.js";
import { isNotFound } from "../../../lib/kube/errors.js";
import { CEILING_MS } from "../../gitops/fates.js";
import { learnAll } from "../../gitops/kinds.js";
import { eventually } from "../../integration/support/eventually.js";
import { Site, type Target } from "../../integration/support/site.js";
import {
  isTrue,
  kustomizationOf,
  KUSTOMIZATIONS,
  said,
  type Kustomization,
  type KustomizationStatus,
  type Wish,
} from "./kustomization.js";
import { ArchiveServer, GIT_REPOSITORIES, Source } from "./source.js";

/** One file's way to Flux, the host and the members. */
export class Flux {
  readonly #kustomizations = new Set<string>();
  readonly #sources: Source[] = [];

  private constructor(
    readonly env: Env,
    readonly host: Site,
    readonly members: readonly [Site, Site],
    private readonly server: ArchiveServer,
  ) {}

  static async open(env: Env): Promise<Flux> {
    const [host, member1, member2] = ["host", "member1", "member2"].map(name => learnAll(Site.of(env, name)));
    if (!host || !member1 || !member2) throw new Error("a host and two members are needed");
    for (const kind of [KUSTOMIZATIONS, GIT_REPOSITORIES]) host.learn(kind);
    return new Flux(env, host, [member1, member2], await ArchiveServer.listen());
  }

  /** A repository, and the GitRepository of this name. */
  async source(name: string): Promise<Source> {
    const source = await Source.make(name, this.host, this.server);
    this.#sources.push(source);
    return source;
  }

  /** Kustomizations that the test makes by other ways go with the file as well. */
  remember(...names: readonly string[]): void {
    for (const name of names) this.#kustomizations.add(name);
  }

  /** Creates a Kustomization, or changes it. */
  async apply(wish: Wish): Promise<void> {
    this.#kustomizations.add(wish.name);
    await this.host.applyObject(kustomizationOf(wish));
  }

  async find(name: string): Promise<Kustomization | undefined> {
    return (await this.host.find(targetOf(name))) as Kustomization | undefined;
  }

  /** Changes what the spec of a Kustomization says; null takes a field away. */
  async change(name: string, spec: object): Promise<void> {
    await this.host.patch(targetOf(name), { spec });
  }

  /** Asks for a reconcile, as `flux reconcile kustomization` does, and waits for the end of it. */
  async reconciled(name: string): Promise<KustomizationStatus> {
    const requestedAt = `${new Date().toISOString()} ${Math.random()}`;
    const annotations = { "reconcile.fluxcd.io/requestedAt": requestedAt };
    await this.host.patch(targetOf(name), { metadata: { annotations } });
    return this.until(name, "has handled the request", status => status.lastHandledReconcileAt === requestedAt);
  }

  /** Waits until a Kustomization is as wanted; what it is instead stands in the error. */
  until(name: string, what: string, wanted: (status: KustomizationStatus) => boolean, ceilingMs = CEILING_MS) {
    return eventually(
      `${name} ${what}`,
      async () => {
        const status = (await this.find(name))?.status;
        if (status && wanted(status)) return status;
        throw new Error(["Ready", "Healthy", "Reconciling"].map(type => `${type} ${said(status, type)}`).join("; "));
      },
      ceilingMs,
    );
  }

  /** Waits for what every story hopes for: this revision is applied, all of it is healthy, and nothing goes on. */
  async untilWell(name: string, revision: string): Promise<KustomizationStatus> {
    return this.until(name, `is Ready and Healthy at ${revision}`, status => {
      const at = status.lastAppliedRevision === revision && status.lastAttemptedRevision === revision;
      return at && isTrue(status, "Ready") && isTrue(status, "Healthy") && said(status, "Reconciling") === undefined;
    });
  }

  /** Waits until this revision has failed, and answers Flux's words about it. */
  async untilFailed(name: string, revision: string): Promise<string> {
    const status = await this.until(name, `has failed at ${revision}`, status => {
      const ready = status.conditions?.find(({ type }) => type === "Ready");
      return status.lastAttemptedRevision === revision && ready?.status === "False";
    });
    return said(status, "Ready") ?? "";
  }

  /** What Flux has told about a Kustomization, in words; each once. */
  async notes(name: string): Promise<string[]> {
    const events = await this.host.list("Event", FLUX_NAMESPACE);
    const about = events.filter(event => {
      const { kind, name: of } = event["regarding"] as { readonly kind?: string; readonly name?: string };
      return kind === "Kustomization" && of === name;
    });
    return about.map(({ note }) => String(note));
  }

  async delete(name: string): Promise<void> {
    await this.host.delete(targetOf(name));
  }

  untilGone(name: string): Promise<true> {
    return eventually(`Kustomization ${name} is gone`, async () => !(await this.find(name)), CEILING_MS);
  }

  /** Everything goes that the file's tests made; what is left of a Kustomization has no say in it. */
  async close(): Promise<void> {
    for (const name of this.#kustomizations) await this.#forget(name);
    await Promise.all(this.#sources.map(source => source.close()));
    await Promise.all([this.host, ...this.members].map(site => site.close()));
    this.server.close();
  }

  async #forget(name: string): Promise<void> {
    try {
      await this.host.patch(targetOf(name), { spec: { suspend: true } });
      await this.delete(name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** For one file: open before its tests, closed after them. */
export function flux(): () => Flux {
  let open: Flux | undefined;
  beforeAll(async () => {
    open = await Flux.open(readEnv(inject("clusters")));
  });
  afterAll(() => open?.close());
  return () => {
    if (!open) throw new Error("only within a test");
    return open;
  };
}

/** The objects as Flux lists them in its inventory. */
export function listed(objects: readonly KubeObject[]): string[] {
  return objects
    .map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace ? `${namespace}/` : ""}${name}`)
    .sort();
}

function targetOf(name: string): Target {
  return { kind: "Kustomization", namespace: FLUX_NAMESPACE, name };
}
