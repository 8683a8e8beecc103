// How do the figures look to a person, beside Karmada's?
import { perObject, perSecond, type Figures } from "./figures.js";
import { KARMADA } from "./karmada.js";
import { REQUESTS } from "./limits.js";

interface Column {
  readonly title: string;
  readonly value: (figures: Figures) => number | string | undefined;
  readonly digits?: number;
}

const COLUMNS: readonly Column[] = [
  { title: "phase", value: f => f.phase },
  { title: "objects", value: f => f.objects || undefined },
  { title: "s", value: f => f.seconds, digits: 1 },
  { title: "obj/s", value: perSecond, digits: 1 },
  { title: "p50 ms", value: f => f.latency?.p50 },
  { title: "p95 ms", value: f => f.latency?.p95 },
  { title: "req/obj", value: f => perObject(f).total || undefined, digits: 2 },
  { title: "no leases", value: f => (f.objects ? perObject(f).work : f.host.work), digits: 2 },
  { title: "limit", value: f => REQUESTS[f.phase] },
  { title: "lists", value: f => f.host.lists },
  { title: "409", value: f => f.host.refused["409"] ?? 0 },
  { title: "cpu s", value: f => f.cpuSeconds, digits: 1 },
  { title: "MiB", value: f => f.peakMiB },
  { title: "open", value: f => f.openConnections },
  { title: "made", value: f => f.newConnections },
  { title: "K p50", value: f => KARMADA[f.phase]?.p50 },
  { title: "K obj/s", value: f => KARMADA[f.phase]?.perSecond, digits: 1 },
  { title: "K req", value: f => KARMADA[f.phase]?.requests, digits: 1 },
  { title: "faster", value: f => times(perSecond(f), KARMADA[f.phase]?.perSecond) },
  { title: "fewer", value: f => times(KARMADA[f.phase]?.requests, perObject(f).total) },
  { title: "", value: f => (f.ok ? "ok" : "FAILED") },
];

const LEGEND = [
  "req/obj: host requests per template without LIST and WATCH; no leases: without leases and probes (idle: all of them)",
  "open, made: connections of the operator, connections made to API servers; K: Karmada as shipped, times on another machine",
];

/** One line per phase, under their titles, and what the titles mean. */
export function tableOf(phases: readonly Figures[]): string {
  const rows = [COLUMNS.map(({ title }) => title), ...phases.map(figures => COLUMNS.map(each => cell(each, figures)))];
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map(row => (row[index] ?? "").length)));
  const lines = rows.map(row =>
    row
      .map((text, index) => text.padStart(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...LEGEND].join("\n");
}

/** Which requests a phase is made of, per template, the most frequent first. */
export function requestsOf({ phase, objects, host }: Figures): string {
  const parts = Object.entries(host.by).map(([name, count]) => `${name} ${trimmed(count / (objects || 1), 2)}`);
  return `${phase}: ${parts.join(", ") || "none"}`;
}

function cell({ value, digits = 0 }: Column, figures: Figures): string {
  const found = value(figures);
  if (found === undefined) return "-";
  return typeof found === "string" ? found : found.toFixed(digits);
}

function times(a: number | undefined, b: number | undefined): string | undefined {
  return a && b ? `×${trimmed(a / b, 1)}` : undefined;
}

function trimmed(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
