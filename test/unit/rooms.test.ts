// Does every source file keep to the layout: imports go down, capabilities do not know each other, one question a file?
import { describe, expect, it } from "vitest";
import { problemsOf } from "./rooms.js";
import { sourceFiles } from "./tree.js";

const QUESTION = "// Which question does this file answer?\n";

describe("problemsOf", () => {
  it.each`
    given                                     | path                             | code                                                        | problem
    ${"a lower room that looks up"}           | ${"lib/domain/x.ts"}             | ${'import { a } from "../kube/store.js";'}                  | ${"lib/kube is not below lib/domain"}
    ${"a type that is imported upwards"}      | ${"crds/x.ts"}                   | ${'import type { A } from "../lib/domain/a.js";'}           | ${"lib/domain is not below crds"}
    ${"an upward re-export"}                  | ${"lib/kube/x.ts"}               | ${'export { a } from "../engine/queue.js";'}                | ${"lib/engine is not below lib/kube"}
    ${"an upward import at run time"}         | ${"lib/engine/x.ts"}             | ${'const a = import("../../capabilities/work/plan.js");'}   | ${"capabilities is not below lib/engine"}
    ${"an upward import type"}                | ${"lib/engine/x.ts"}             | ${'type A = import("../../capabilities/work/plan.js").A;'}  | ${"capabilities is not below lib/engine"}
    ${"a capability that knows another"}      | ${"capabilities/work/x.ts"}      | ${'import { a } from "../binding/plan.js";'}                | ${"they meet in API objects"}
    ${"anybody who imports the root"}         | ${"capabilities/work/x.ts"}      | ${'import "../../pepr.js";'}                                | ${"pepr.ts is not below capabilities"}
    ${"Pepr behind the doors"}                | ${"capabilities/work/x.ts"}      | ${'import { K8s } from "pepr";'}                            | ${"only pepr.ts and capabilities/*/index.ts"}
    ${"a part of Pepr behind the doors"}      | ${"lib/engine/x.ts"}             | ${'import { K8s } from "pepr/lib/k8s.js";'}                 | ${"only pepr.ts and capabilities/*/index.ts"}
    ${"a product file that needs hack/"}      | ${"lib/engine/x.ts"}             | ${'import { up } from "../../hack/clusters/index.js";'}     | ${"nothing imports hack/"}
    ${"a product file that needs test/"}      | ${"capabilities/work/x.test.ts"} | ${'import { a } from "../../test/unit/rooms.js";'}          | ${"nothing imports test/"}
    ${"the cli with a reconciler"}            | ${"cli/x.ts"}                    | ${'import { a } from "../capabilities/work/reconcile.js";'} | ${"capabilities/*/plan.ts only"}
    ${"a product file that needs the cli"}    | ${"lib/kube/x.ts"}               | ${'import { a } from "../../cli/join.js";'}                 | ${"cli is not below lib/kube"}
    ${"configuration that needs the product"} | ${"vitest.config.ts"}            | ${'import { a } from "./crds/kinds.js";'}                   | ${"crds is not below the root"}
    ${"a file outside every room"}            | ${"cli/x.ts"}                    | ${'import { a } from "../ui/main.js";'}                     | ${"ui/main.ts is in no room"}
    ${"a default export"}                     | ${"lib/kube/x.ts"}               | ${"export default function a() {}"}                         | ${"no default exports"}
    ${"a default export by another name"}     | ${"lib/kube/x.ts"}               | ${"const a = 1; export { a as default };"}                  | ${"no default exports"}
    ${"a value as default export"}            | ${"lib/kube/x.ts"}               | ${"export default 1;"}                                      | ${"no default exports"}
    ${"a file that is too long"}              | ${"lib/kube/x.ts"}               | ${"\n".repeat(200) + "export {};"}                          | ${"202 lines; at most 200"}
  `("names $given", ({ path, code, problem }: Record<"path" | "code" | "problem", string>) => {
    expect(problemsOf({ path, text: QUESTION + code })).toEqual([expect.stringContaining(problem)]);
  });

  it("names a file whose first line is no comment", () => {
    const problems = problemsOf({ path: "lib/kube/x.ts", text: "export const a = 1;\n" });
    expect(problems).toEqual([expect.stringContaining("the first line must be a comment")]);
  });

  it.each`
    given                              | path                            | code
    ${"an import that skips rooms"}    | ${"capabilities/work/x.ts"}     | ${'import { Work } from "../../crds/work.js";'}
    ${"an import of the same room"}    | ${"lib/kube/x.ts"}              | ${'import { a } from "./store.js";'}
    ${"an import inside a capability"} | ${"capabilities/work/x.ts"}     | ${'import { a } from "./plan.js";'}
    ${"a door that opens Pepr"}        | ${"capabilities/work/index.ts"} | ${'import { Capability } from "pepr";'}
    ${"the root that composes"}        | ${"pepr.ts"}                    | ${'import { a } from "./capabilities/work/controller.js";'}
    ${"the cli with a pure plan"}      | ${"cli/x.ts"}                   | ${'import { a } from "../capabilities/work/plan.js";'}
    ${"a test that imports all"}       | ${"test/integration/x.test.ts"} | ${'import { a } from "../../capabilities/work/reconcile.js";'}
    ${"a package that begins like it"} | ${"lib/kube/x.ts"}              | ${'import a from "pepr-like";'}
    ${"an import in a comment"}        | ${"lib/domain/x.ts"}            | ${'// import { a } from "../kube/store.js";'}
    ${"a default export of a config"}  | ${"vitest.config.ts"}           | ${"export default {};"}
    ${"a long test"}                   | ${"lib/kube/x.test.ts"}         | ${"\n".repeat(300) + "export {};"}
  `("has nothing against $given", ({ path, code }: Record<"path" | "code", string>) => {
    expect(problemsOf({ path, text: QUESTION + code })).toEqual([]);
  });
});

describe("this repository", () => {
  const files = sourceFiles();

  it("has source files in every room", () => {
    for (const room of [
      "crds/",
      "lib/domain/",
      "lib/kube/",
      "lib/engine/",
      "capabilities/",
      "cli/",
      "hack/",
      "test/",
    ]) {
      expect(files.filter(({ path }) => path.startsWith(room)).length, room).toBeGreaterThan(3);
    }
    expect(files.map(({ path }) => path)).toContain("pepr.ts");
  });

  it("keeps to its layout", () => {
    expect(files.flatMap(problemsOf)).toEqual([]);
  }, 60_000);
});
