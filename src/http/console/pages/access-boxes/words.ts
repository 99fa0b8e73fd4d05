import { CLOCKS_APART, isLate, type Standing } from "../../../../domain/service/box-standing/standing.ts";
import type { StaffVisit } from "../../guard.ts";

/** Faults of a box that is heard, each in a short and a long form. */
export function listFaults(
  { view, now }: StaffVisit,
  { report, ahead, isDiskNearlyFull, isUnderstood, refused, refusal, isOld, isWalled }: Standing,
) {
  const { format, words } = view;
  const { states, of } = words.accessBoxes;
  if (!report) return [];
  const seconds = format.number(Math.abs(ahead));
  const rows = report.waiting === undefined ? "–" : format.number(report.waiting);
  return [
    ...(refusal ? [[states.strange, of.strange(refused, format.timeNear(refusal.at, now))] as const] : []),
    ...(Math.abs(ahead) > CLOCKS_APART ? [[states.clock(seconds), of.clock(seconds)] as const] : []),
    ...(isLate(report)
      ? [[states.journal(rows), of.journal(rows, format.timeNear(now - report.waitingFor, now))] as const]
      : []),
    ...(isDiskNearlyFull && report.disk
      ? [[states.disk, of.disk(format.bytes(report.disk.free))] as const]
      : []),
    ...(isOld ? [[states.old, of.old] as const] : []),
    ...(isWalled === false && !isOld ? [[states.open, of.open] as const] : []),
    ...(isUnderstood ? [] : [[states.otherwise, of.otherwise] as const]),
  ];
}
