// All matching, in V8. The worker evaluates calls of the functions below, one at a time, and reads what they find from
// the buffers, also while a call runs or after one was stopped. Buffers are globals for ever: Python looks into their
// memory. Only numbers and ASCII leave through return values.
"use strict";

const MAX_JOBS = 4096;
const MAX_SPANS = 131072;
const PENDING = 0, NOT_FOUND = 1, FOUND = 2, INVALID = 3, ERROR = 4;
const IN_WORK = 0, COUNTING = 1, FINISHED = 2, SPANS_USED = 3;

const JOBS = new Int32Array(MAX_JOBS * 5);   // pattern, text, spans wanted, count?, limit (the worker's)
const META = new Int32Array(4);
const CODES = new Uint8Array(MAX_JOBS);
const COUNTS = new Int32Array(MAX_JOBS);     // -1: not counted
const SPAN_COUNTS = new Uint32Array(MAX_JOBS);
const SPAN_FROM = new Uint32Array(MAX_JOBS);
const STARTS = new Uint32Array(MAX_SPANS);   // UTF-16 units, the spans of all jobs behind each other
const ENDS = new Uint32Array(MAX_SPANS);

const TEXTS = [];                            // slot -> string
const BOX = {text: ""};                      // how a string comes in
let PARTS = [];
let PATTERNS = [];
let SIZE = 0;
let ERRORS = [];                             // [job, message]

// ---- texts

// The texts that lie behind each other in the box; a slice shares the memory of the whole.
function unpack(slots, lengths) {
  let at = 0;
  slots.forEach((slot, i) => { TEXTS[slot] = BOX.text.slice(at, at += lengths[i]); });
  BOX.text = "";
}

function part(index, text) { PARTS[index] = text; BOX.text = ""; }

// A text that V8 cannot hold stands as its error; its searches end with that.
function join(slot) {
  try { TEXTS[slot] = PARTS.length === 1 ? PARTS[0] : PARTS.join(""); } catch (error) { TEXTS[slot] = error; }
  PARTS = [];
}

function drop(slots) { for (const slot of slots) TEXTS[slot] = undefined; FOLDED.of = null; FOLDED.text = ""; }

// ---- patterns

function ascii(value) {
  return JSON.stringify(value).replace(/[^\x00-\x7e]/g, c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

// A matcher's next(text, from) finds the first match at or behind `from` and leaves its place in start and end.
class Literal {
  constructor(value) { this.value = value; }
  next(text, from) {
    if (from > text.length) return false;
    this.start = text.indexOf(this.value, from);
    this.end = this.start + this.value.length;
    return this.start >= 0;
  }
  after(text, at) { return at + 1; }
}

// A text in lower case, and where that is longer: of all characters only İ becomes two units instead of one.
const FOLDED = {of: null, text: "", seconds: []};

function fold(text) {
  if (FOLDED.of === text) return FOLDED;
  FOLDED.of = null;  // until all of it is there, since V8 may be stopped in between
  FOLDED.text = text.toLowerCase();
  FOLDED.seconds = [];
  if (FOLDED.text.length > text.length) {
    for (let at = text.indexOf("\u0130"); at >= 0; at = text.indexOf("\u0130", at + 1)) {
      FOLDED.seconds.push(at + FOLDED.seconds.length + 1);
    }
  }
  FOLDED.of = text;
  return FOLDED;
}

// How many of the sorted numbers are below `limit`.
function below(numbers, limit) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1; else high = middle;
  }
  return low;
}

// A text in any case. It is looked for in the folded text; what matches a part of an İ there has all of it here.
class Folded {
  constructor(value) { this.value = value.toLowerCase(); }
  next(text, from) {
    const folded = fold(text);
    // The walk goes on where it was in the folded text, which a place in the text itself does not tell.
    const at = from === 0 ? 0 : this.until;
    if (at > folded.text.length) return false;
    const first = folded.text.indexOf(this.value, at);
    if (first < 0) return false;
    this.until = Math.max(first + this.value.length, first + 1);
    this.start = first - below(folded.seconds, first + 1);
    this.end = first + this.value.length - below(folded.seconds, first + this.value.length);
    return true;
  }
  after(text, at) { return at + 1; }
}

class Regex {
  constructor(source, flags) {
    this.plain = new RegExp(source, flags);  // checked with its own flags, which V8's message repeats
    this.global = flags.includes("g") ? this.plain : new RegExp(source, flags + "g");
  }
  test(text) { this.global.lastIndex = 0; return this.global.test(text); }
  next(text, from) {
    this.global.lastIndex = from;
    const found = this.global.exec(text);
    if (found === null) return false;
    this.start = found.index;
    this.end = found.index + found[0].length;
    return true;
  }
  // Where to go on behind a match of nothing: one unit, with u or v one character, as the language has it.
  after(text, at) {
    const whole = this.global.unicode || this.global.unicodeSets;
    return at + (whole && text.codePointAt(at) > 0xffff ? 2 : 1);
  }
}

function matcher([kind, source, flags]) {
  if (kind === "literal") return new Literal(source);
  if (kind === "folded") return new Folded(source);
  try { return new Regex(source, flags); } catch (error) { return {message: String(error.message)}; }
}

// ---- jobs

// Begins so many jobs; specs are what their pattern numbers mean. Answers V8's message or null for each pattern.
function begin(specs, jobs) {
  PATTERNS = specs.map(matcher);
  ERRORS = [];
  SIZE = jobs;
  CODES.fill(PENDING, 0, jobs);
  META.fill(0);
  return ascii(PATTERNS.map(pattern => pattern.message ?? null));
}

// The worker has read the spans; their room is free again.
function drained() { META[SPANS_USED] = 0; }

function errors() { const found = ascii(ERRORS); ERRORS = []; return found; }

// Goes on with the first job that is not finished; returns early when the room for spans is used up.
function go() {
  for (let job = META[FINISHED]; job < SIZE; job++) {
    if (META[SPANS_USED] > 0 && META[SPANS_USED] + JOBS[job * 5 + 2] > MAX_SPANS) return;
    Atomics.store(META, COUNTING, 0);
    Atomics.store(META, IN_WORK, job);
    COUNTS[job] = -1;
    SPAN_COUNTS[job] = 0;
    SPAN_FROM[job] = META[SPANS_USED];
    CODES[job] = answer(job);
    if (CODES[job] === FOUND) walk(job);
    Atomics.store(META, FINISHED, job + 1);
  }
}

function answer(job) {
  const pattern = PATTERNS[JOBS[job * 5]];
  const text = TEXTS[JOBS[job * 5 + 1]];
  if (pattern.message !== undefined) return INVALID;
  try {
    if (typeof text !== "string") throw text;
    const test = pattern instanceof Regex && !JOBS[job * 5 + 2] && !JOBS[job * 5 + 3];
    return (test ? pattern.test(text) : pattern.next(text, 0)) ? FOUND : NOT_FOUND;
  } catch (error) {
    ERRORS.push([job, String(error.message)]);
    return ERROR;
  }
}

// Records and counts matches, the first of which is already found. The verdict stands whatever happens here.
function walk(job) {
  const wanted = Math.min(JOBS[job * 5 + 2], MAX_SPANS), counted = JOBS[job * 5 + 3] !== 0;
  if (!wanted && !counted) return;
  const pattern = PATTERNS[JOBS[job * 5]], text = TEXTS[JOBS[job * 5 + 1]];
  let count = 0, more = true;
  try {
    while (more && (counted || count < wanted)) {
      if (count < wanted) record(job, pattern.start, pattern.end);
      if (++count === 1) Atomics.store(META, COUNTING, 1);
      if (!counted && count === wanted) return;
      more = pattern.next(text, pattern.end > pattern.start ? pattern.end : pattern.after(text, pattern.end));
    }
    if (counted) COUNTS[job] = count;
  } catch {
    COUNTS[job] = -1;
  }
}

function record(job, start, end) {
  const at = META[SPANS_USED];
  STARTS[at] = start;
  ENDS[at] = end;
  SPAN_COUNTS[job]++;
  Atomics.store(META, SPANS_USED, at + 1);
}
