// How does a Prometheus run beside the operator, scrape it, and answer questions?
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePorts } from "../clusters/ports.js";
import { end, launch } from "../clusters/processes.js";
import { until } from "../clusters/ready.js";
import { ensurePrometheus } from "./programs.js";

/** What it scrapes and by which rules it calls. */
export interface PrometheusOptions {
  /** An empty directory of its own. */
  readonly dir: string;
  /** Ports on 127.0.0.1, by the name that becomes the label `pod`. */
  readonly targets: Readonly<Record<string, number>>;
  /** Path of a file of rule groups. */
  readonly rules: string;
}

/** One value of a query, with its labels. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A running one. */
export interface RunningPrometheus {
  /** An instant query. @throws Error with Prometheus's words about the expression */
  query(expression: string): Promise<readonly Sample[]>;
  stop(): Promise<void>;
}

/** Starts it; answers once it is ready. */
export async function runPrometheus({ dir, targets, rules }: PrometheusOptions): Promise<RunningPrometheus> {
  const { prometheus } = await ensurePrometheus();
  const [port = 0] = await freePorts(1);
  const config = join(dir, "prometheus.yml");
  writeFileSync(config, stringify(configOf(targets, rules)));
  const log = join(dir, "prometheus.log");
  const id = launch({
    argv: [
      prometheus,
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dir, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    ...{ env: { PATH: process.env["PATH"] ?? "" }, cwd: dir, log },
  });
  const base = `http://127.0.0.1:${port}`;
  await until(`prometheus is ready (${log})`, () =>
    fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { query: expression => query(base, expression), stop: () => end(id, 10_000) };
}

function configOf(targets: PrometheusOptions["targets"], rules: string): object {
  const statics = Object.entries(targets).map(([pod, port]) => ({ targets: [`127.0.0.1:${port}`], labels: { pod } }));
  return {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [rules],
    scrape_configs: [{ job_name: "holdfast", static_configs: statics }],
  };
}

interface Answer {
  readonly status: "success" | "error";
  readonly error?: string;
  readonly data?: { readonly result: readonly Sample[] };
}

async function query(base: string, expression: string): Promise<readonly Sample[]> {
  const response = await fetch(`${base}/api/v1/query`, {
    method: "POST",
    body: new URLSearchParams({ query: expression }),
  });
  const answer = (await response.json()) as Answer;
  if (answer.status !== "success") throw new Error(`${expression}: ${answer.error}`);
  return answer.data?.result ?? [];
}
