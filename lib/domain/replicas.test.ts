// Which kinds have replicas, and how many?
import { describe, expect, it } from "vitest";
import { isWorkload, replicasOf } from "./replicas.js";

describe("replicasOf", () => {
  it.each`
    given                              | apiVersion          | kind             | spec                                  | replicas
    ${"a Deployment"}                  | ${"apps/v1"}        | ${"Deployment"}  | ${{ replicas: 3 }}                    | ${3}
    ${"a Deployment without replicas"} | ${"apps/v1"}        | ${"Deployment"}  | ${{}}                                 | ${1}
    ${"a Deployment scaled to 0"}      | ${"apps/v1"}        | ${"Deployment"}  | ${{ replicas: 0 }}                    | ${0}
    ${"a Deployment without spec"}     | ${"apps/v1"}        | ${"Deployment"}  | ${undefined}                          | ${1}
    ${"a StatefulSet"}                 | ${"apps/v1"}        | ${"StatefulSet"} | ${{ replicas: 2 }}                    | ${2}
    ${"a ReplicaSet"}                  | ${"apps/v1"}        | ${"ReplicaSet"}  | ${{ replicas: 2 }}                    | ${2}
    ${"a DaemonSet"}                   | ${"apps/v1"}        | ${"DaemonSet"}   | ${{}}                                 | ${undefined}
    ${"a Job"}                         | ${"batch/v1"}       | ${"Job"}         | ${{ parallelism: 4 }}                 | ${4}
    ${"a Job that needs fewer"}        | ${"batch/v1"}       | ${"Job"}         | ${{ parallelism: 4, completions: 3 }} | ${3}
    ${"a Job with completions only"}   | ${"batch/v1"}       | ${"Job"}         | ${{ completions: 3 }}                 | ${1}
    ${"a CronJob"}                     | ${"batch/v1"}       | ${"CronJob"}     | ${{}}                                 | ${undefined}
    ${"a Pod"}                         | ${"v1"}             | ${"Pod"}         | ${{}}                                 | ${1}
    ${"a ConfigMap"}                   | ${"v1"}             | ${"ConfigMap"}   | ${undefined}                          | ${undefined}
    ${"someone else's Deployment"}     | ${"example.com/v1"} | ${"Deployment"}  | ${{ replicas: 3 }}                    | ${undefined}
  `(
    "is $replicas for $given",
    ({ apiVersion, kind, spec, replicas }: { apiVersion: string; kind: string; spec: unknown; replicas?: number }) => {
      const template = { apiVersion, kind, metadata: { name: "x" }, spec };
      expect(replicasOf(template)).toBe(replicas);
      expect(isWorkload(template)).toBe(replicas !== undefined);
    },
  );
});
