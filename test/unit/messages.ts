// Which sentences can a validator say?
import ts from "typescript";
import type { SourceFile } from "./rooms.js";

/** Functions that take the sentence, and at which place. */
const SPEAKERS: Readonly<Record<string, number>> = { warn: 0, warnIf: 1 };
/** Shorter pieces, such as `; write `, stand in every second message. */
const SHORTEST = 12;

/**
 * For each `detail` of an error and each warning in a file, its longest piece without a variable: what a page that lists
 * the messages must contain.
 */
export function messagesIn({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  function visit(node: ts.Node): void {
    const sentence = sentenceOf(node);
    if (sentence) found.push(...piecesOf(sentence));
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...new Set(found.filter(piece => piece.length >= SHORTEST))];
}

function sentenceOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) {
    return node.name.getText() === "detail" ? node.initializer : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const place = SPEAKERS[node.expression.getText()];
  return place === undefined ? undefined : node.arguments[place];
}

/** A choice between two sentences is two sentences. */
function piecesOf(expression: ts.Expression): string[] {
  if (ts.isConditionalExpression(expression)) {
    return [...piecesOf(expression.whenTrue), ...piecesOf(expression.whenFalse)];
  }
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (!ts.isTemplateExpression(expression)) return [];
  const pieces = [expression.head.text, ...expression.templateSpans.map(span => span.literal.text)];
  return [pieces.map(piece => piece.trim()).reduce((a, b) => (b.length > a.length ? b : a))];
}
