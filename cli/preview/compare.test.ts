// Is shown what matters, and no secret?
import { describe, expect, it } from "vitest";
import { MANAGED_LABEL, WORK_ID_LABEL } from "../../lib/domain/marks.js";
import { compare, isSame } from "./compare.js";

const metadata = { name: "settings", namespace: "shop" };
const settings = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } };
const secret = (data: Record<string, string>, annotations?: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { ...metadata, ...(annotations && { annotations }) },
  data,
});

describe("compare", () => {
  it("leaves out what servers keep account of, and status", () => {
    const bookkeeping = { uid: "1", resourceVersion: "2", generation: 3, creationTimestamp: "x", managedFields: [] };
    const kept = { ...settings, metadata: { ...metadata, ...bookkeeping }, status: { a: 1 } };
    expect(isSame(compare(settings, kept))).toBe(true);
  });

  it("leaves out our marks, and no other label, unless it is asked for them", () => {
    const marked = {
      ...settings,
      metadata: { ...metadata, labels: { [MANAGED_LABEL]: "true", [WORK_ID_LABEL]: "1" } },
    };
    const labelled = { ...settings, metadata: { ...metadata, labels: { app: "web" } } };
    expect(isSame(compare(settings, marked))).toBe(true);
    expect(compare(settings, marked, { marks: true }).after).toContain(`${WORK_ID_LABEL}: "1"`);
    expect(isSame(compare(settings, labelled))).toBe(false);
  });

  it("has nothing on the side where there is no object", () => {
    expect(compare(undefined, settings)).toEqual({
      before: "",
      after: expect.stringContaining("kind: ConfigMap") as string,
    });
    expect(compare(settings, undefined).after).toBe("");
  });

  it("shows that values of a Secret differ, and not the values", () => {
    const { before, after } = compare(
      secret({ same: "c2FtZQ==", other: "b2xk", gone: "Z29uZQ==" }),
      secret({ same: "c2FtZQ==", other: "bmV3", fresh: "ZnJlc2g=" }),
    );
    expect(before).toContain("data:\n  gone: '***'\n  other: '*** (before)'\n  same: '***'\n".replaceAll("'", '"'));
    expect(after).toContain('data:\n  fresh: "***"\n  other: "*** (after)"\n  same: "***"\n');
  });

  it.each([
    [
      "what kubectl notes",
      secret({}, { "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"a":"c2VjcmV0"}}' }),
    ],
    ["values that are no map", { ...secret({}), data: "c2VjcmV0" as unknown as Record<string, string> }],
    ["values in the clear", { ...secret({}), stringData: { a: "c2VjcmV0" } }],
  ])("hides %s of a Secret", (_what, object) => {
    const { before, after } = compare(object, undefined);
    expect(before + after + compare(undefined, object).after).not.toContain("c2VjcmV0");
  });
});
