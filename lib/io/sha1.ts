const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0] as const;
const BLOCK_WORDS = 16;
const ROUNDS = 80;

/**
 * The SHA-1 of a text in UTF-8, as 40 hex digits (FIPS 180-4). For names, not for secrets. By hand, since a hook needs a few at every turn
 * and loading node:crypto takes a sixth of the time of an empty Node process; in plain loops, since they run before V8 optimises.
 */
export function sha1(text: string): string {
  const words = padMessage(Buffer.from(text, "utf8"));
  const state = Int32Array.from(START);
  const schedule = new Int32Array(ROUNDS);
  for (let start = 0; start < words.length; start += BLOCK_WORDS) addBlock(state, schedule, words, start);
  let digits = "";
  for (const word of state) digits += (word >>> 0).toString(16).padStart(8, "0");
  return digits;
}

/** The message in big-endian words, a single 1 bit, zeros, and its length in bits: whole blocks. */
function padMessage(bytes: Buffer): Int32Array {
  const words = new Int32Array((((bytes.length + 8) >> 6) + 1) * BLOCK_WORDS);
  const view = new DataView(words.buffer);
  for (let i = 0; i < bytes.length; i++) view.setUint8(i, bytes[i] ?? 0);
  view.setUint8(bytes.length, 0x80);
  view.setUint32((words.length - 1) * 4, bytes.length * 8);
  for (let i = 0; i < words.length; i++) words[i] = view.getInt32(i * 4);
  return words;
}

// Rotations are written out: before V8 optimises, a call costs as much as ten operations, and there are eighty rounds a block.

function addBlock(state: Int32Array, schedule: Int32Array, words: Int32Array, start: number): void {
  fillSchedule(schedule, words, start);
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let round = 0; round < ROUNDS; round++) {
    const next = (((a << 5) | (a >>> 27)) + mix(round, b, c, d) + e + (schedule[round] ?? 0)) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  const sums = [a, b, c, d, e];
  for (let i = 0; i < sums.length; i++) state[i] = (state[i] ?? 0) + (sums[i] ?? 0);
}

function fillSchedule(schedule: Int32Array, words: Int32Array, start: number): void {
  for (let i = 0; i < BLOCK_WORDS; i++) schedule[i] = words[start + i] ?? 0;
  for (let i = BLOCK_WORDS; i < ROUNDS; i++) {
    const near = (schedule[i - 3] ?? 0) ^ (schedule[i - 8] ?? 0);
    const mixed = near ^ (schedule[i - 14] ?? 0) ^ (schedule[i - 16] ?? 0);
    schedule[i] = (mixed << 1) | (mixed >>> 31);
  }
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}
