// Are all marks legal Kubernetes keys, each listed once?
import { describe, expect, it } from "vitest";
import * as marks from "./marks.js";

const QUALIFIED_KEY = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$/;
const NOT_KEYS = new Set(["FIELD_MANAGER", "DEPENDED_BY_LABEL_PREFIX"]);
const keys = Object.entries(marks)
  .filter(([name]) => !NOT_KEYS.has(name))
  .flatMap(([, value]) => value);

describe("marks", () => {
  it("are legal label, annotation and finalizer keys", () => {
    expect(keys.filter(key => !QUALIFIED_KEY.test(key))).toEqual([]);
  });

  it("of a member object are listed once each", () => {
    const listed = [...marks.KARMADA_MEMBER_LABELS, ...marks.KARMADA_MEMBER_ANNOTATIONS];
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("of a member object include those that upstream forgets to strip", () => {
    expect(marks.KARMADA_MEMBER_LABELS).toEqual(
      expect.arrayContaining([
        "clusterpropagationpolicy.karmada.io/permanent-id",
        "clusterresourcebinding.karmada.io/permanent-id",
        "resourcetemplate.karmada.io/retain-replicas",
      ]),
    );
    expect(marks.KARMADA_MEMBER_ANNOTATIONS).toEqual(
      expect.arrayContaining([
        "work.karmada.io/conflict-resolution",
        "clusterpropagationpolicy.karmada.io/name",
        "clusterresourcebinding.karmada.io/name",
      ]),
    );
  });
});
