// Eleven suites: `unit` (pure, beside the code), `integration` (real API servers, the code in the test's own process),
// `cases` (real API servers and the real operator), `ordinary` (the same, on a host that runs workloads), `faults` (the same
// as cases, with processes that die and networks that hang), `chart` (the same, with the real helm), `races` (the same, with
// whatever is drawn), `argocd` and `flux` (the same, with the real Argo CD and Flux), `monitoring` (a real Prometheus, from Debian's package), `e2e`
// (a cluster with a real node; needs root). The last four run by their own names only.
import { defineConfig } from "vitest/config";

const REAL_SERVERS = { environment: "node", testTimeout: 120_000, hookTimeout: 180_000 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{lib,capabilities,crds,cli,hack,test/unit,test/races/model}/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "integration",
          include: ["test/integration/*.test.ts"],
          globalSetup: ["test/integration/setup.ts"],
          fileParallelism: false,
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "cases",
          include: ["test/integration/cases/*.test.ts"],
          globalSetup: ["test/integration/cases/setup.ts"],
          // Mostly waiting: each file has a namespace of its own.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "ordinary",
          include: ["test/integration/ordinary/*.test.ts"],
          globalSetup: ["test/integration/ordinary/setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "faults",
          include: ["test/integration/cases/faults/*.test.ts"],
          globalSetup: ["test/integration/cases/faults/setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "chart",
          include: ["test/chart/*.test.ts"],
          globalSetup: ["test/chart/setup.ts"],
          fileParallelism: false,
          // helm and helm-unittest may have to be built first.
          hookTimeout: 600_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "races",
          include: ["test/races/*.test.ts"],
          globalSetup: ["test/races/setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "argocd",
          include: ["test/argocd/*.test.ts"],
          globalSetup: ["test/argocd/setup.ts"],
          fileParallelism: false,
          // Argo CD looks again, waits, and tries again at its own pace; each wait inside has a ceiling of its own.
          testTimeout: 600_000,
          sequence: { groupOrder: 8 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "flux",
          include: ["test/flux/*.test.ts"],
          globalSetup: ["test/flux/setup.ts"],
          fileParallelism: false,
          // As with Argo CD.
          testTimeout: 600_000,
          sequence: { groupOrder: 9 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "monitoring",
          include: ["test/monitoring/*.test.ts"],
          globalSetup: ["test/monitoring/setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          ...REAL_SERVERS,
          name: "e2e",
          include: ["test/e2e/*.test.ts"],
          globalSetup: ["test/e2e/setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
});
