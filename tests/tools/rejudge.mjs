// Judges the recorded graders of a run directory again, on Node and from the files alone, and prints what differs.
// Usage: node rejudge.mjs RUN_DIRECTORY. One line a grader on standard output: line number, grader number, verdict now, recorded.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];

function text(record) {
  if (!record || record.error) return null;
  if (typeof record.diff === "string") return record.diff;
  if (typeof record.diffPath !== "string") return null;
  const place = join(folder, record.diffPath);
  return existsSync(place) ? readFileSync(place, "utf8") : null;
}

function evidence(grader, trajectory) {
  const messages = trajectory.events.filter((e) => e.type === "assistant_message").map((e) => e.data.content);
  if (grader.type.startsWith("output-")) return trajectory.output;
  if (grader.type.startsWith("transcript-")) return messages.join("\n");
  const numbered = [...trajectory.events, ...(trajectory.turnDiffs ?? [])];
  const single = !trajectory.stimulus.turns && !numbered.some((one) => one.turn > 0);
  if (grader.turn === undefined || (grader.turn === 0 && single)) return text(trajectory);
  return text((trajectory.turnDiffs ?? []).find((one) => one.turn === grader.turn));
}

function found(grader, text) {
  const { pattern, value, substring, case_sensitive: exact } = grader.config ?? {};
  if (grader.type === "diff-empty") return text === "";
  if (pattern !== undefined) {
    const [, flags, rest] = /^(?:\(\?([ims]+)\))?([^]*)$/.exec(pattern);
    return new RegExp(rest, flags ?? "").test(text); // throws where the pattern is refused
  }
  const literal = substring ?? value;
  const fold = !grader.type.startsWith("diff-") && !exact;
  return fold ? text.toLowerCase().includes(literal.toLowerCase()) : text.includes(literal);
}

function passes(grader, text) {
  if (text === null) return false;
  try {
    return found(grader, text) !== (grader.config?.negate ?? grader.type.includes("-not-"));
  } catch {
    return false;
  }
}

readFileSync(join(folder, "results.jsonl"), "utf8").split("\n").forEach((line, at) => {
  const record = line ? JSON.parse(line) : {};
  if (!record.gradeResult) return;
  record.trajectory.stimulus.graders.forEach((grader, number) => {
    if (!/^(diff|output|transcript)-/.test(grader.type)) return;
    if (!grader.type.startsWith("diff-") && grader.turn !== undefined) return; // which text that is, is not known
    const now = passes(grader, evidence(grader, record.trajectory));
    console.log(`${at + 1} ${number + 1} ${now} ${record.gradeResult.details[number].passed}`);
  });
});
