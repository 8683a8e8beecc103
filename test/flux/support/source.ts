// Where does Flux's controller fetch from? From here: the part that source-controller plays, for repositories of tests.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { KubeObject } from "../../../crds/object.js";
import { FLUX_NAMESPACE } from "../../../hack/flux/components.js";
import type { ApiResource } from "../../../lib/kube/resource.js";
import { Repository, type Files } from "../../gitops/repository.js";
import type { Site } from "../../integration/support/site.js";

/** The kind, for clients. */
export const GIT_REPOSITORIES: ApiResource = {
  ...{ group: "source.toolkit.fluxcd.io", version: "v1", kind: "GitRepository", plural: "gitrepositories" },
  namespaced: true,
};

/** Archives over HTTP on 127.0.0.1, each under a path that says what is in it. */
export class ArchiveServer {
  readonly #archives = new Map<string, Buffer>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async listen(): Promise<ArchiveServer> {
    const server = createServer((request, response) => {
      const archive = archives.#archives.get(request.url ?? "");
      response.writeHead(archive ? 200 : 404).end(archive);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server for archives has no port");
    const archives = new ArchiveServer(server, address.port);
    return archives;
  }

  /** Where the archive can be fetched from now on. */
  add(path: string, archive: Buffer): string {
    this.#archives.set(`/${path}`, archive);
    return `http://127.0.0.1:${this.port}/${path}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** A Git repository and the GitRepository that Kustomizations name: a commit is what the controller has at once. */
export class Source {
  private constructor(
    readonly name: string,
    private readonly host: Site,
    private readonly server: ArchiveServer,
    private readonly repository: Repository,
  ) {}

  static async make(name: string, host: Site, server: ArchiveServer): Promise<Source> {
    const repository = await Repository.make();
    await host.applyObject(gitRepository(name, repository.url));
    return new Source(name, host, server, repository);
  }

  /** Commits, and publishes it as source-controller does. Answers the revision. */
  async commit(files: Files): Promise<string> {
    const commit = await this.repository.commit(files);
    const archive = await this.repository.archive();
    const revision = `main@sha1:${commit}`;
    const path = `gitrepository/${FLUX_NAMESPACE}/${this.name}/${commit}.tar.gz`;
    const digest = `sha256:${createHash("sha256").update(archive).digest("hex")}`;
    const artifact = { digest, path, revision, url: this.server.add(path, archive), lastUpdateTime: now() };
    const condition = { type: "Ready", status: "True", reason: "Succeeded", message: "stored artifact" };
    const { generation: observedGeneration = 1 } = (await this.#find()).metadata;
    const conditions = [{ ...condition, observedGeneration, lastTransitionTime: now() }];
    const target = { namespace: FLUX_NAMESPACE, name: this.name };
    const status = { observedGeneration, artifact, conditions };
    await this.host.of("GitRepository").mergePatch(target, { status }, "status");
    return revision;
  }

  close(): Promise<void> {
    return this.repository.close();
  }

  async #find(): Promise<KubeObject> {
    const found = await this.host.find({ kind: "GitRepository", namespace: FLUX_NAMESPACE, name: this.name });
    if (!found) throw new Error(`there is no GitRepository ${this.name}`);
    return found;
  }
}

/** `url` is for people only: nobody here clones it, and its API takes none that is a file. */
function gitRepository(name: string, url: string): KubeObject {
  return {
    ...{ apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository" },
    metadata: { name, namespace: FLUX_NAMESPACE },
    spec: { url: url.replace(/^file:/, "https:"), ref: { branch: "main" }, interval: "1h" },
  } as KubeObject;
}

function now(): string {
  return new Date().toISOString();
}
