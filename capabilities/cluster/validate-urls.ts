// Are these URLs ones by which a cluster can be reached?
import type { FieldError } from "../../lib/domain/field-error.js";

/** Every mistake in the address of an API server: http or https, a host, and neither user, query nor fragment. */
export function endpointErrors(text: string | undefined, path: string): FieldError[] {
  if (!text) return [];
  const url = urlOf(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    // What stands before an @ may be a password: it is not repeated.
    const value = text.includes("@") ? undefined : text;
    return [{ path, kind: "Invalid", value, detail: "not the URL of a server; write https://HOST:PORT" }];
  }
  const errors: FieldError[] = [];
  if (url.username || url.password)
    errors.push({ path, kind: "Forbidden", detail: "credentials belong in secretRef; remove them" });
  if (url.search)
    errors.push({ path, kind: "Forbidden", detail: "a query has no meaning here; remove ? and what follows" });
  if (url.hash)
    errors.push({ path, kind: "Forbidden", detail: "a fragment has no meaning here; remove # and what follows" });
  return errors;
}

/** Every mistake in the address of a proxy. */
export function proxyErrors(text: string | undefined, path: string): FieldError[] {
  if (!text) return [];
  const url = urlOf(text);
  if (url && ["http:", "https:", "socks5:"].includes(url.protocol)) return [];
  return [
    { path, kind: "Invalid", detail: "not the URL of a proxy; write http://, https:// or socks5:// and HOST:PORT" },
  ];
}

function urlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === "" ? undefined : url;
}
