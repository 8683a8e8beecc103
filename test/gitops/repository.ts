// Where does what a test deploys come from? A Git repository of its own in a temporary directory.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runStep } from "../../hack/clusters/step.js";
import type { KubeObject } from "../../crds/object.js";

/** The files of a commit by path; `undefined` takes one away. */
export type Files = Readonly<Record<string, readonly (KubeObject | object)[] | string | undefined>>;

// Nothing of the person's own settings counts: hooks, signing, another name of the first branch.
const AUTHOR = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
const ENV = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

/** One repository with one branch, `main`. */
export class Repository {
  private constructor(private readonly dir: string) {}

  static async make(): Promise<Repository> {
    const repository = new Repository(await mkdtemp(join(tmpdir(), "holdfast-git-")));
    await repository.#git("init", "--quiet", "--initial-branch=main");
    return repository;
  }

  /** Where Git clones it from. */
  get url(): string {
    return `file://${this.dir}`;
  }

  /** Writes files (objects become one YAML file), commits, and answers the revision. */
  async commit(files: Files): Promise<string> {
    for (const [path, content] of Object.entries(files)) await this.#write(join(this.dir, path), content);
    await this.#git("add", "--all");
    await this.#git(...AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "change");
    return (await this.#git("rev-parse", "HEAD")).trim();
  }

  /** What is committed, as the archive in which Flux's source-controller hands it on. */
  async archive(): Promise<Buffer> {
    const file = join(this.dir, ".git/archive.tar.gz");
    await this.#git("archive", "--format=tar.gz", "--output", file, "HEAD");
    return readFile(file);
  }

  close(): Promise<void> {
    return rm(this.dir, { recursive: true, force: true });
  }

  async #write(file: string, content: Files[string]): Promise<void> {
    if (content === undefined) return rm(file, { force: true });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : manifest(content));
  }

  #git(...args: readonly string[]): Promise<string> {
    return runStep({ label: `git ${args[0]}`, argv: ["git", ...args], cwd: this.dir, env: ENV });
  }
}

/** JSON is YAML in which every string is one, whatever it says. */
function manifest(objects: readonly object[]): string {
  return objects.map(object => `${JSON.stringify(object, null, 2)}\n`).join("---\n");
}
