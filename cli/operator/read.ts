// What came of looking at one thing: what is there, or why nobody knows?
import { messageOf } from "../../lib/kube/errors.js";

/** An answer, or the reason why there is none. */
export type Read<T> = { readonly got: T } | { readonly why: string };

/** Never rejects: one thing that cannot be read keeps nobody from the others. */
export async function tryRead<T>(read: Promise<T>): Promise<Read<T>> {
  try {
    return { got: await read };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

/** The answer; `undefined` where there is none. */
export function answerIn<T>(read: Read<T>): T | undefined {
  return "got" in read ? read.got : undefined;
}

/** The reason; `undefined` where there is an answer. */
export function whyNot(read: Read<unknown>): string | undefined {
  return "why" in read ? read.why : undefined;
}
