// Does the host's status catch up when a template's generation moves, and nothing that goes to members does?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../crds/object.js";
import { applied, freshNamespace, kubectl } from "../support/case-kubectl.js";
import { present } from "../support/case-world.js";
import { onto, policy, WEB, web } from "../support/case-objects.js";

/** `kubectl rollout status` and Argo CD wait for this. */
const isObserved = ({ metadata, status }: KubeObject): boolean =>
  (status as { observedGeneration?: number } | undefined)?.observedGeneration === metadata.generation;

describe("an annotation that stays on the host", () => {
  it("is a generation of a Deployment, which the host's status has then seen, and no write in the member", async () => {
    const ns = await freshNamespace();
    await applied("host", policy(ns, "web", { resourceSelectors: [WEB], placement: onto("member1") }), web(ns));
    const before = await present("host", web(ns), isObserved);
    const copy = await present("member1", web(ns));

    for (const note of ["argocd.argoproj.io/tracking-id=web", "karmada.io/note=1"])
      await kubectl("host", ["annotate", "-n", ns, "deployment", "web", note]);

    const after = await present("host", web(ns), object => {
      return (object.metadata.generation ?? 0) > (before.metadata.generation ?? 0) && isObserved(object);
    });
    expect(after.metadata.annotations).toMatchObject({ "karmada.io/note": "1" });
    expect((await present("member1", web(ns))).metadata.generation).toBe(copy.metadata.generation);
  });
});
