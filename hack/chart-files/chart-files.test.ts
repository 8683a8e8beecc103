// The chart's files follow from the code, and give the operator no more than the table says.
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { KINDS } from "../../crds/kinds.js";
import { chartFiles } from "../gen-rbac.js";
import { writeGenerated } from "../generated-files.js";
import { CLUSTER_PERMISSIONS, NAMESPACE_PERMISSIONS } from "./permissions.js";
import { rbacFile } from "./rbac.js";
import { webhooksFile } from "./webhooks.js";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
}

interface Webhook {
  readonly name: string;
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly failurePolicy: string;
  readonly sideEffects: string;
  readonly timeoutSeconds: number;
  readonly rules: readonly Rule[];
}

function webhookOf(stage: "Mutating" | "Validating"): Webhook | undefined {
  return webhooksOf(stage)[0];
}

function webhooksOf(stage: "Mutating" | "Validating"): readonly Webhook[] {
  const configurations = parseAllDocuments(webhooksFile().content).map(
    document => document.toJS() as { readonly kind: string; readonly webhooks: readonly Webhook[] },
  );
  return configurations.find(each => each.kind === `${stage}WebhookConfiguration`)?.webhooks ?? [];
}

function resourcesOf(webhook: Webhook | undefined): string[] {
  return (webhook?.rules ?? [])
    .flatMap(rule => rule.resources.map(name => `${rule.apiGroups[0]}/${rule.apiVersions[0]} ${name}`))
    .sort();
}

describe("the files of the chart", () => {
  it("are up to date", () => {
    expect(writeGenerated(chartFiles(), true)).toEqual([]);
  });

  it.each(["Mutating", "Validating"] as const)("make the %s webhook refuse when the operator is away", stage => {
    expect(webhookOf(stage)).toMatchObject({ failurePolicy: "Fail", sideEffects: "None", timeoutSeconds: 10 });
  });

  it("show every kind that people write to validation, and no subresource", () => {
    const all = KINDS.map(kind => `${kind.group}/${kind.version} ${kind.plural}`).sort();
    const snapshots = "holdfast.dev/v1alpha1 adoptionsnapshots";
    expect(all).toContain(snapshots);
    expect(resourcesOf(webhookOf("Validating"))).toEqual(all.filter(name => name !== snapshots));
  });

  it("show only kinds with defaults to mutation", () => {
    expect(resourcesOf(webhookOf("Mutating")).map(name => name.split(" ")[1])).toEqual([
      "cascadedeletionpolicies",
      "clustercascadedeletionpolicies",
      "clusterpropagationpolicies",
      "propagationpolicies",
      "works",
      "clusterresourcebindings",
      "resourcebindings",
    ]);
  });
});

describe("the doors of deletions", () => {
  const doors = webhooksOf("Validating").filter(({ name }) => name.startsWith("delete"));

  it("are open when the operator is away, and hold nobody up for long", () => {
    expect(doors.map(door => door.name)).toEqual(["delete.holdfast.dev", "delete-namespace.holdfast.dev"]);
    for (const door of doors) {
      expect(door).toMatchObject({ failurePolicy: "Ignore", sideEffects: "None" });
      expect(door.timeoutSeconds).toBeLessThanOrEqual(5);
      expect(door.rules).toEqual([expect.objectContaining({ operations: ["DELETE"], scope: "*" })]);
    }
  });

  it("are about every kind, and in each the operator's own deletions pass unseen", () => {
    expect(resourcesOf(doors[0])).toEqual(["*/* *"]);
    expect(resourcesOf(doors[1])).toEqual(["/v1 namespaces"]);
    for (const { matchConditions } of doors) {
      const expressions = matchConditions.map(({ expression }) => expression);
      expect(expressions).toContain("request.userInfo.username != 'system:serviceaccount:holdfast-system:holdfast'");
    }
  });
});

describe("the doors of the hold", () => {
  const doors = [...webhooksOf("Mutating"), ...webhooksOf("Validating")].filter(({ name }) => name.startsWith("hold"));

  it("are open when the operator is away, but for what only it can say, and hold nobody up for long", () => {
    const closed = doors.filter(({ failurePolicy }) => failurePolicy === "Fail");
    expect(closed.map(({ name }) => name)).toEqual(["hold-status.holdfast.dev", "hold-namespace.holdfast.dev"]);
    for (const { timeoutSeconds } of doors) expect(timeoutSeconds).toBeLessThanOrEqual(5);
  });

  it("are in namespaces of templates only, and on the label of a namespace", () => {
    const others = doors.filter(door => !("namespaceSelector" in door));
    expect(others.map(({ name, matchConditions }) => [name, matchConditions.map(each => each.name)])).toEqual([
      ["hold-namespace.holdfast.dev", ["when-the-label-changes"]],
    ]);
  });
});

describe("the operator's permissions", () => {
  const all = [...CLUSTER_PERMISSIONS, ...Object.values(NAMESPACE_PERMISSIONS).flat()];

  it("each have a reason that stands in the chart", () => {
    for (const { why } of all) expect(rbacFile().content.replace(/\s+#?\s*/g, " ")).toContain(why);
  });

  it("never use a wildcard verb", () => {
    expect(all.flatMap(permission => permission.verbs)).not.toContain("*");
  });

  it("let it create and delete nothing of any kind", () => {
    const anything = all.filter(permission => permission.resources.includes("*"));
    expect(anything.map(permission => permission.verbs)).toEqual([["get", "list", "watch", "patch"]]);
  });

  it("let it create and delete Secrets beside the members' credentials only", () => {
    const secrets = CLUSTER_PERMISSIONS.filter(permission => permission.resources.includes("secrets"));
    expect(secrets).toEqual([]);
    expect(Object.keys(NAMESPACE_PERMISSIONS)).toEqual(["holdfast-system", "karmada-cluster", "pepr-system"]);
  });

  it("leave no reason behind as a field, which the API server would refuse", () => {
    const objects = parseAllDocuments(rbacFile().content).map(document => document.toJS() as { rules?: object[] });
    expect(objects.flatMap(object => object.rules ?? []).filter(rule => "why" in rule)).toEqual([]);
    expect(parse(rbacFile().content.split("---\n")[0] ?? "")).toMatchObject({ kind: "Namespace" });
  });
});
