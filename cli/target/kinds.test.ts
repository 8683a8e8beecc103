// Is the kind found that a kubectl user means?
import { describe, expect, it } from "vitest";
import type { Problem } from "../problem.js";
import { kindsOfCategory, resolveKind } from "./kinds.js";
import { SERVED } from "./samples.js";

describe("resolveKind", () => {
  it.each`
    word                      | kind                                        | sentence
    ${"deployments"}          | ${"apps/v1 Deployment"}                     | ${"a plural"}
    ${"deployment"}           | ${"apps/v1 Deployment"}                     | ${"a singular"}
    ${"Deployment"}           | ${"apps/v1 Deployment"}                     | ${"a kind"}
    ${"DEPLOYMENTS"}          | ${"apps/v1 Deployment"}                     | ${"a word in any case"}
    ${"deploy"}               | ${"example.test/v1 Deploy"}                 | ${"a name before a short name of another kind"}
    ${"svc"}                  | ${"/v1 Service"}                            | ${"a short name, of the first kind that has it"}
    ${"events"}               | ${"/v1 Event"}                              | ${"the first of several groups"}
    ${"events.events.k8s.io"} | ${"events.k8s.io/v1 Event"}                 | ${"the group that is written"}
    ${"events.events"}        | ${"events.k8s.io/v1 Event"}                 | ${"the beginning of a group"}
    ${"deployments.apps"}     | ${"apps/v1 Deployment"}                     | ${"a plural with its group"}
    ${"deployments.v1.apps"}  | ${"apps/v1 Deployment"}                     | ${"a plural with version and group"}
    ${"hpa"}                  | ${"autoscaling/v2 HorizontalPodAutoscaler"} | ${"the version that the server prefers"}
    ${"hpa.v1.autoscaling"}   | ${"autoscaling/v1 HorizontalPodAutoscaler"} | ${"the version that is written"}
  `("takes $word for $kind: $sentence", ({ word, kind }: Record<"word" | "kind", string>) => {
    const found = resolveKind(SERVED, word);
    expect(`${found.group}/${found.version} ${found.kind}`).toBe(kind);
  });

  it.each`
    word            | hint
    ${"deploymens"} | ${"did you mean deployments?"}
    ${"servcies"}   | ${"did you mean services?"}
    ${"unicorns"}   | ${"kubectl api-resources"}
    ${"bindings"}   | ${"kubectl api-resources"}
    ${"svc.apps"}   | ${"did you mean services, deploys?"}
  `("does not know $word and says: $hint", ({ word, hint }: Record<"word" | "hint", string>) => {
    expect(() => resolveKind(SERVED, word)).toThrow(expect.objectContaining({ exitCode: 2 }) as Problem);
    expect(() => resolveKind(SERVED, word)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) as string }) as Problem,
    );
  });
});

describe("kindsOfCategory", () => {
  it("finds what is in it, each kind once", () => {
    expect(kindsOfCategory(SERVED, "all").map(({ kind }) => kind)).toEqual(["Service", "Deployment"]);
  });
});
