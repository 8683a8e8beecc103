// Are kinds offered by the names that lead back to them?
import { describe, expect, it } from "vitest";
import { resolveKind } from "../target/kinds.js";
import { SERVED } from "../target/samples.js";
import { kindNames } from "./names.js";

describe("kindNames", () => {
  it("has plurals, with the group where an earlier kind has the same", () => {
    expect(kindNames(SERVED)).toEqual([
      "deployments",
      "deploys",
      "events",
      "events.events.k8s.io",
      "horizontalpodautoscalers",
      "namespaces",
      "services",
    ]);
  });

  it("has only names that are found again", () => {
    const kinds = kindNames(SERVED).map(name => resolveKind(SERVED, name));
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});
