// What should the work queue do? The model that queue.model.test.ts holds it against.

/** The shortest pause of the queue under test. */
export const BASE_MS = 50;
/** The longest one. */
export const MAX_MS = 1_000;

/** The reference: lists and sets, no promises, no timers. */
export class Model {
  now = 0;
  closed = false;
  waitingTakers = 0;
  ready: string[] = [];
  received: string[] = [];
  readonly processing = new Set<string>();
  readonly dirty = new Set<string>();
  readonly failures = new Map<string, number>();
  delayed: { key: string; at: number }[] = [];

  add(key: string): void {
    if (this.closed) return;
    this.delayed = this.delayed.filter(d => d.key !== key);
    if (this.processing.has(key)) this.dirty.add(key);
    else if (!this.ready.includes(key)) this.ready.push(key);
    if (this.waitingTakers === 0 || this.ready.length === 0) return;
    this.waitingTakers--;
    this.hand();
  }

  addAfter(key: string, ms: number): void {
    if (this.closed) return;
    if (ms <= 0) return this.add(key);
    const earlier = this.delayed.find(d => d.key === key);
    if (earlier && earlier.at <= this.now + ms) return;
    this.delayed = [...this.delayed.filter(d => d.key !== key), { key, at: this.now + ms }];
  }

  retry(key: string, atLeastMs: number): void {
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    this.addAfter(key, Math.max(atLeastMs, Math.min(MAX_MS, BASE_MS * 2 ** (failures - 1))));
  }

  take(): void {
    if (this.ready.length > 0) this.hand();
    else if (!this.closed) this.waitingTakers++;
  }

  hand(): void {
    const key = this.ready.shift() ?? "";
    this.processing.add(key);
    this.received.push(key);
  }

  done(key: string): void {
    this.processing.delete(key);
    if (this.dirty.delete(key)) this.add(key);
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const [next] = this.delayed.filter(d => d.at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.now = next.at;
      this.add(next.key);
    }
    this.now = until;
  }

  close(): void {
    this.closed = true;
    this.waitingTakers = 0;
    this.ready = [];
    this.delayed = [];
    this.dirty.clear();
  }
}
