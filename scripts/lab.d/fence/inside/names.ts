/* Messages of DNS (RFC 1035), as far as a tunnel needs them. */

export const TXT = 16;
const OPT = 41;
const HEADER = 12;

/** A question for a name, that says how great an answer by UDP may be (EDNS). */
export function query(name: string, type: number, { id, largest }: { id: number; largest: number }): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x01_00, 2); // recursion is wanted
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(1, 10);
  const labels = name
    .split(".")
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, "latin1"));
  const opt = Buffer.alloc(11);
  opt.writeUInt16BE(OPT, 1);
  opt.writeUInt16BE(largest, 3);
  return Buffer.concat([header, ...labels, Buffer.of(0, 0, type, 0, 1), opt]);
}

/** Where the question of a message ends: behind its name, type and class. */
function questionEnd(message: Buffer): number {
  let at = HEADER;
  for (let length = message[at] ?? 0; length !== 0; length = message[at] ?? 0) at += length + 1;
  return at + 5;
}

/** The answer that carries most in so many bytes: one text. */
export function fullAnswer(question: Buffer, most: number): Buffer {
  const end = questionEnd(question);
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x85_80, 2);
  head.writeUInt32BE(0x00_01_00_00, 6);
  head.writeUInt16BE(0, 10);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc0_00 | HEADER, 0);
  record.writeUInt16BE(TXT, 2);
  record.writeUInt16BE(1, 4);
  const room = most - end - record.length - 32;
  const text: Buffer[] = [];
  for (let left = room; left > 1; left -= 256) {
    const length = Math.min(255, left - 1);
    text.push(Buffer.of(length), Buffer.alloc(length, 97 + (text.length % 26)));
  }
  const data = Buffer.concat(text);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

/** How great an answer the one may have who asks by UDP. */
export function answerRoom(question: Buffer): number {
  const end = questionEnd(question);
  const isSaid = question.readUInt16BE(10) > 0 && question.readUInt16BE(end + 1) === OPT;
  return isSaid ? Math.max(512, question.readUInt16BE(end + 3)) : 512;
}

/** The bytes of text in an answer; 0: it has none. */
export function carried(answer: Buffer): number {
  if (answer.length < HEADER || answer.readUInt16BE(6) === 0) return 0;
  const end = questionEnd(answer);
  return answer.length < end + 12 ? 0 : answer.readUInt16BE(end + 10);
}

/** A name as long as a name may be, 255 bytes, below a domain. */
export function longName(number: number, domain: string): string {
  const left = 255 - domain.length - 2;
  const labels: string[] = [];
  let digits = `${number}-`.padEnd(left, "a");
  while (digits.length > 1) {
    const label = digits.slice(0, 63);
    labels.push(label);
    digits = digits.slice(64);
  }
  return `${labels.join(".")}.${domain}`;
}
