// How does a case use the real helm against a cluster, with a small chart of its own?
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { ensureHelm } from "../../../hack/clusters/index.js";
import { accessTo, type Side } from "./case-kubectl.js";

const run = promisify(execFile);
const BUILD_MS = 600_000;

/** The values of the chart; the ConfigMap holds `data`. */
export interface Values {
  readonly replicas: number;
  readonly tag: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A person's helm. `helm` answers what it printed. @throws Error with helm's words. */
export interface Helm {
  helm(side: Side, args: readonly string[]): Promise<string>;
  /** The arguments that name the chart, with these values. */
  chart(values: Values): Promise<readonly string[]>;
}

/** helm and a chart, for as long as the file runs. */
export function helmWithChart(): Helm {
  let program = "";
  let dir = "";
  beforeAll(async () => {
    program = await ensureHelm();
    dir = await mkdtemp(join(tmpdir(), "holdfast-chart-"));
    await mkdir(join(dir, "templates"));
    await writeFile(join(dir, "Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
    await writeFile(join(dir, "templates", "all.yaml"), TEMPLATES);
  }, BUILD_MS);
  afterAll(() => rm(dir, { recursive: true, force: true }));

  let files = 0;
  return {
    async helm(side, args) {
      const { stdout } = await run(program, ["--kubeconfig", accessTo(side).kubeconfig, ...args]);
      return stdout;
    },
    async chart(values) {
      const file = join(dir, `values-${files++}.json`);
      await writeFile(file, JSON.stringify(values));
      return [dir, "--values", file];
    },
  };
}

const TEMPLATES = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: {{ .Release.Namespace }}
  labels: {app: web, app.kubernetes.io/managed-by: {{ .Release.Service }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: "registry.example/web:{{ .Values.tag }}"}
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: {{ .Release.Namespace }}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  namespace: {{ .Release.Namespace }}
data:
{{ toYaml .Values.data | indent 2 }}
`;
