import { sourceTime } from "../../dates.ts";
import { plainHeader } from "./columns.ts";

const cutOff = [
  "disabled|inactive|not active|deactivated|blocked|suspended|disconnected|cut off|paused|barred|banned|hotlined|isolated|cancelled|canceled|terminated",
  "deshabilitado|deshabilitada|desactivado|inactivo|inactiva|bloqueado|bloqueada|suspendido|suspendida|cortado|cortada|moroso|morosa|cancelado|cancelada|anulado|dado de baja|retirado|retirada|desconectado",
  "desativado|desativada|desabilitado|inativo|inativa|suspenso|suspensa|inadimplente|encerrado|desligado",
  "desactive|desactivee|inactif|inactive|bloque|bloquee|suspendu|suspendue|coupe|coupee|resilie|resiliee|deconnecte|annule",
  "gesperrt|deaktiviert|inaktiv|nicht aktiv|gekundigt|stillgelegt|abgeschaltet|getrennt|blockiert|ausgeschaltet|storniert",
  "disabilitato|disattivato|disattivo|inattivo|non attivo|bloccato|sospeso|staccato|cessato|disdetto|annullato|disconnesso",
  "pasif|aktif degil|devre disi|engelli|engellendi|bloke|askida|askiya alindi|donduruldu|kesik|kesildi|iptal|iptal edildi|kapatildi",
  "nonaktif|non aktif|tidak aktif|isolir|terisolir|diisolir|blokir|diblokir|terblokir|ditangguhkan|dinonaktifkan|diputus",
  "amefungiwa|imefungwa|amesimamishwa|imesimamishwa|amekatwa|imekatwa|imezimwa|haifanyi kazi|si hai|imefutwa",
  "отключен|отключена|отключено|заблокирован|заблокирована|заблокировано|неактивен|неактивна|не активен|приостановлен|приостановлена|приостановлено|расторгнут|должник",
  "معطل|معطلة|موقوف|موقوفة|متوقف|موقف|غير نشط|غير فعال|غير مفعل|محظور|محجوب|مقطوع|مفصول|ملغي|ملغى|مجمد",
  "بند|بلاک|غیر فعال|منقطع|منسوخ",
  "निष्क्रिय|निलंबित|बंद|अक्षम|अवरुद्ध|ब्लॉक|रद्द",
  "নিষ্ক্রিয়|স্থগিত|বন্ধ|অবরুদ্ধ|ব্লক|বাতিল|বিচ্ছিন্ন",
].join("|");

/** Meaningful in cells only; as a header something else. */
const cutOffInCells =
  "disable|block|suspend|cut|stopped|on hold|locked|locked out|closed|deleted|archived|defaulter|non payment|corte|cortado por mora|en mora|baja|de baja|bloqueo|bloqueio|pausado|interrompu|impaye|sperre|kapali|putus|berhenti|cabut|tutup|откл|блокировка|закрыт|удален|مغلق";

const getsIn = [
  "enabled|enable|active|activated|new|online|offline|open|opened|registered|running|normal|connected|in service|live|valid|good|unblocked|not blocked",
  "activo|activa|habilitado|habilitada|vigente|al dia|conectado|nuevo|alta|en servicio",
  "ativo|ativa|em dia|novo|ligado",
  "actif|en service|connecte|nouveau|en cours|valide|a jour",
  "aktiv|aktiviert|freigeschaltet|verbunden|neu|in betrieb|laufend",
  "attivo|attiva|attivato|abilitato|in servizio|connesso|nuovo|regolare",
  "aktif|acik|etkin|bagli|yeni|nyala|terhubung|baru|lancar",
  "hai|anafanya kazi|inafanya kazi|imewashwa",
  "активен|активна|активный|включен|включена|действует|действующий|подключен|открыт|новый",
  "فعال|فعالة|نشط|نشطة|مفعل|مفعلة|متصل|شغال|جديد|ساري|چالو|جاری|सक्रिय|चालू|সক্রিয়|চালু",
].join("|");

const ended = [
  "expired|ended|overdue|elapsed|vencido|vencida|caducado|caducada|expirado|expirada|expire|expiree|echu|abgelaufen|scaduto|scaduta",
  "suresi doldu|suresi bitti|bitti|kadaluarsa|kedaluwarsa|habis|imeisha|muda umeisha|истек|истекла|просрочен|просрочена",
  "منتهي|منتهية|منتهى|منتهي الصلاحية|انتهى|انتهت|ختم|میعاد ختم|समाप्त|মেয়াদোত্তীর্ণ|মেয়াদ শেষ",
].join("|");

const yes = "1|y|yes|true|t|on|ok|si|s|sim|oui|ja|evet|ya|iya|ndiyo|да|نعم|ہاں|हाँ|हां|হ্যাঁ|✓|✔|☑";
const no = "0|n|no|false|f|off|nao|non|nein|hayir|tidak|hapana|нет|لا|نہیں|नहीं|না|✗|✘|☐";

/** `yes` and `no` refer to the column. */
type Word = "yes" | "no" | "on" | "off" | "ended";

const words = new Map<string, Word>();
const lists: readonly (readonly [Word, string])[] = [
  ["yes", yes],
  ["no", no],
  ["off", `${cutOff}|${cutOffInCells}`],
  ["on", getsIn],
  ["ended", ended],
];
for (const [word, list] of lists)
  for (const one of list.split("|")) if (!words.has(plainWord(one))) words.set(plainWord(one), word);

/** Headers of a cut-off flag. */
export const cutOffHeaders = `${cutOff}|is disabled|is blocked|is suspended|is inactive|is banned|account disabled|user disabled|disabled at|blocked at|suspended at|disabled since|blocked since|suspended since`;

/** The word normalized; a lone sign stays. */
export function plainWord(text: string): string {
  return plainHeader(text) || text.trim();
}

/** Yes or no in a word of many languages; undefined: neither. */
export function parseTruth(text: string): boolean | undefined {
  const word = words.get(plainWord(text));
  return word === undefined ? undefined : word !== "no" && word !== "off";
}

/** Columns that decide who gets in: a status, or a cut-off flag. */
export const deciding = ["status", "disabled"] as const;
export type Deciding = (typeof deciding)[number];

/** `ended`: until the paid end. */
export type Standing = "on" | "off" | "ended";

const SAYS_NOTHING = /^(|-+|—|n\/?a|null|none|nil|\\n|0000-00-00( 00:00:00)?)$/i;

/** What a word says of who gets in; undefined: it is unknown. */
export function parseStanding(value: string, column: Deciding): Standing | undefined {
  const text = value.trim();
  if (SAYS_NOTHING.test(text)) return "on";
  const word = words.get(plainWord(text));
  if (column === "status") return word === "yes" ? "on" : word === "no" ? "off" : word;
  if (word === "yes" || word === "off" || /^x$/i.test(text) || isDay(text)) return "off";
  return word === "no" ? "on" : undefined;
}

/** A date of disconnection; a number is something else. */
function isDay(text: string): boolean {
  if (/^\d*$/.test(text)) return false;
  return sourceTime(text, "UTC") !== undefined || sourceTime(text, "UTC", { order: "mdy" }) !== undefined;
}
