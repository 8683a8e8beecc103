// How does Pepr start at once in a test? It waits up to three seconds, Math.random() * 3000 ms, before it touches its
// store; for the first moments every draw is 0. Only the clusters of tests, demo and benches load this.
const QUIET_MS = 1500;

const random = Math.random;
const began = Date.now();
Math.random = () => (Date.now() - began < QUIET_MS ? 0 : random());
