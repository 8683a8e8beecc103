// Does the label `deletion-protected: Always` keep an object, whoever deletes it and however?
import { describe, expect, it, onTestFinished } from "vitest";
import { DELETION_PROTECTED_LABEL as LABEL } from "../../../lib/domain/marks.js";
import { openShop } from "../support/case.js";
import { applied, freshName, freshNamespace, kubectl, remove, type Said } from "../support/case-kubectl.js";
import { configMap, policy, WEB, web } from "../support/case-objects.js";
import { absent, present, type Ref } from "../support/case-world.js";
import { aMoment } from "../support/shop.js";

const ALWAYS = { [LABEL]: "Always" };
const OPERATOR = ["--as", "system:serviceaccount:holdfast-system:holdfast", "--as-group", "system:masters"];

function refused(said: Said, ...words: readonly string[]): void {
  expect(said.code).toBe(1);
  for (const text of ["denied the request", LABEL, ...words]) expect(said.text).toContain(text);
}

async function unprotect(kind: string, name: string, namespace?: string): Promise<void> {
  const where = namespace ? ["-n", namespace] : [];
  expect((await kubectl("host", ["label", kind, name, ...where, `${LABEL}-`])).code).toBe(0);
}

const isThere = (ref: Ref) => present("host", ref, o => o.metadata.deletionTimestamp === undefined);

describe("a protected object", () => {
  it("refuses its deletion with the way out, as a template with copies", async () => {
    const shop = await openShop("prot-web");
    const { namespace } = shop;
    await shop.settle({ labels: `{app: web, ${LABEL}: Always}`, replicas: 0 });
    const before = await shop.uids();
    for (const args of [[], ["--dry-run=server"], ["--cascade=orphan"], ["--now"]]) {
      const said = await kubectl("host", ["-n", namespace, "delete", "deployment", "web", ...args]);
      refused(said, `kubectl label -n ${namespace} deployment web ${LABEL}-`);
    }
    await isThere(web(namespace));
    expect(await shop.uids()).toEqual(before);

    await unprotect("deployment", "web", namespace);
    expect((await remove("host", "deployment", "web", namespace)).code).toBe(0);
    await shop.gone();
    await shop.deletedIn("member1", "member2");
  });

  it("refuses it whatever its kind is", async () => {
    const ns = await freshNamespace();
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: freshName("kept"), labels: ALWAYS },
      rules: [],
    };
    onTestFinished(async () => {
      await unprotect("clusterrole", role.metadata.name);
      await remove("host", "clusterrole", role.metadata.name);
    });
    const held = policy(ns, "held", { resourceSelectors: [WEB] });
    await applied(
      "host",
      configMap({ name: "kept", namespace: ns, labels: ALWAYS }),
      { ...held, metadata: { ...held.metadata, labels: ALWAYS } },
      role,
    );
    refused(await remove("host", "configmap", "kept", ns));
    refused(await remove("host", "propagationpolicy", "held", ns), "PropagationPolicy");
    refused(await remove("host", "clusterrole", role.metadata.name), "ClusterRole");
    await unprotect("configmap", "kept", ns);
    await unprotect("propagationpolicy", "held", ns);
  });

  it("stays when its collection is deleted", async () => {
    const ns = await freshNamespace();
    const kept = configMap({ name: "kept", namespace: ns, labels: ALWAYS });
    await applied("host", kept, configMap({ name: "other", namespace: ns }));
    refused(await kubectl("host", ["delete", "--raw", `/api/v1/namespaces/${ns}/configmaps`]), `ConfigMap ${ns}/kept`);
    refused(await kubectl("host", ["-n", ns, "delete", "configmap", "--all"]), `ConfigMap ${ns}/kept`);
    await isThere(kept);
    await absent("host", configMap({ name: "other", namespace: ns }));
    await unprotect("configmap", "kept", ns);
  });

  it("stays when the garbage collector comes for it", async () => {
    const ns = await freshNamespace();
    const owner = configMap({ name: "owner", namespace: ns });
    await applied("host", owner);
    const { uid } = (await present("host", owner)).metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    const [kept, plain] = ["kept", "plain"].map(name => configMap({ name, namespace: ns }));
    if (!kept || !plain) throw new Error("two");
    await applied(
      "host",
      { ...kept, metadata: { ...kept.metadata, ownerReferences, labels: ALWAYS } },
      { ...plain, metadata: { ...plain.metadata, ownerReferences } },
    );
    await remove("host", "configmap", "owner", ns);
    await absent("host", plain);
    await aMoment();
    await isThere(kept);
    await unprotect("configmap", "kept", ns);
    await absent("host", kept, 60_000);
  });

  it("that is on its way out already is not kept from ending", async () => {
    const ns = await freshNamespace();
    const held = configMap({ name: "held", namespace: ns });
    await applied("host", { ...held, metadata: { ...held.metadata, finalizers: ["example.test/hold"] } });
    await remove("host", "configmap", "held", ns);
    await kubectl("host", ["-n", ns, "label", "configmap", "held", `${LABEL}=Always`]);
    const again = await remove("host", "configmap", "held", ns);
    expect(again).toMatchObject({ code: 0 });
    await kubectl("host", [
      "-n",
      ns,
      "patch",
      "configmap",
      "held",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":[]}}',
    ]);
    await absent("host", held);
  });
});

describe("a namespace", () => {
  const namespaceOf = (name: string): Ref => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const drop = (name: string, ...args: string[]) =>
    kubectl("host", ["delete", "namespace", name, "--wait=false", ...args]);

  it("that holds something protected is refused as a whole, with its name", async () => {
    const ns = await freshNamespace();
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "key", namespace: ns, labels: ALWAYS } };
    await applied("host", secret, configMap({ name: "plain", namespace: ns }));
    refused(await drop(ns, "--dry-run=server"), "Secret key");
    refused(await drop(ns), `Namespace ${ns} holds what must not be deleted: Secret key`);
    await isThere(namespaceOf(ns));
    await isThere(configMap({ name: "plain", namespace: ns }));

    await unprotect("secret", "key", ns);
    expect((await drop(ns)).code).toBe(0);
    await absent("host", namespaceOf(ns), 60_000);
  });

  it("that is protected itself is refused", async () => {
    const ns = await freshNamespace(ALWAYS);
    refused(await drop(ns), `kubectl label namespace ${ns} ${LABEL}-`);
    await isThere(namespaceOf(ns));
    await unprotect("namespace", ns);
  });

  it("whose deletion was accepted is emptied to the end", async () => {
    const ns = await freshNamespace();
    await applied("host", configMap({ name: "kept", namespace: ns, labels: ALWAYS }));
    // As the operator, whose own deletions pass: as if the door had not been answered.
    expect((await drop(ns, ...OPERATOR)).code).toBe(0);
    await absent("host", namespaceOf(ns), 60_000);
  });
});
