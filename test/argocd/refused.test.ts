// Does Argo CD show that a member refuses an object of a kind without conditions, and let the mended one through?
import { describe, expect, it, onTestFinished } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { eventually } from "../integration/support/eventually.js";
import type { Site } from "../integration/support/site.js";
import { linesOf } from "./support/application.js";
import { CEILING_MS, gitOps } from "./support/gitops.js";
import { freshName, inWave, shopPolicy, templateNamespace } from "../gitops/shop.js";

const open = gitOps();

const settings = (namespace: string, colour: string): KubeObject => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace } },
  data: { colour },
});

const noRed = (namespace: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-red-${namespace}}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]}
  validations: [{expression: "object == null || !has(object.data) || !('colour' in object.data) || object.data.colour != 'red'", message: "no red here"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-red-${namespace}}
spec:
  policyName: no-red-${namespace}
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}}
`;

/** A member that takes no red ConfigMaps in this namespace, until the test ends. */
async function refuseRed(member: Site, namespace: string): Promise<void> {
  await member.applyObject({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await member.apply(noRed(namespace));
  onTestFinished(async () => {
    for (const kind of ["ValidatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy"])
      await member.delete({ kind, name: `no-red-${namespace}` });
  });
  const probe: KubeObject = { ...settings(namespace, "red"), metadata: { name: "probe", namespace } };
  await eventually("the member refuses red", async () => {
    const taken = await member.applyObject(probe).catch(() => undefined);
    return taken === undefined;
  });
}

describe("a ConfigMap that one member refuses", () => {
  it.each`
    wave  | health        | sentence
    ${0}  | ${"Degraded"} | ${"makes its policy Degraded, in the member's words, until it is mended in Git"}
    ${-1} | ${"Healthy"}  | ${"does not stop a sync at a policy in a wave of its own: the mended one comes through"}
  `("$sentence", async ({ wave, health }: { wave: number; health: string }) => {
    const gitops = open();
    const [name, repository] = [freshName("refused"), await gitops.repository()];
    await refuseRed(gitops.member2, name);
    const all = (colour: string): readonly KubeObject[] => [
      inWave(-2, templateNamespace(name)),
      inWave(wave, shopPolicy(name)),
      settings(name, colour),
    ];
    await repository.commit({ "all.yaml": all("red") });
    await gitops.apply({ name, repoURL: repository.url, path: "." });

    const words = /1 of 1 not applied: ConfigMap .*settings in member2: .*no red here/;
    const told = await gitops.until(name, "tells of the refusal", status =>
      linesOf(status).some(line => line.startsWith("PropagationPolicy") && words.test(line)),
    );
    expect(told.sync?.status).toBe("Synced");
    expect(told.health?.status).toBe(health);
    expect(await gitops.member1.find({ kind: "ConfigMap", namespace: name, name: "settings" })).toBeDefined();

    const mended = await repository.commit({ "all.yaml": all("green") });
    await gitops.arrived(name, mended);
    await eventually(
      "the mended one is in member2",
      async () => {
        const copy = await gitops.member2.find({ kind: "ConfigMap", namespace: name, name: "settings" });
        return JSON.stringify(copy?.["data"]) === JSON.stringify({ colour: "green" });
      },
      CEILING_MS,
    );
    await gitops.until(name, "tells of no refusal", status => !linesOf(status).some(line => words.test(line)));
  });
});
