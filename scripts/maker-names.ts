/** What people call makers whose registered name is another. */
const KNOWN: readonly [RegExp, string][] = [
  [/^routerboard|^mikrotik/i, "MikroTik"],
  [/^huawei/i, "Huawei"],
  [/^tp-?link/i, "TP-Link"],
  [/^zte\b|shanghai zte/i, "ZTE"],
  [/xiaomi/i, "Xiaomi"],
  [/^(wuhan )?fiberhome/i, "FiberHome"],
  [/^(new |hangzhou )?h3c/i, "H3C"],
  [/v-?solution/i, "V-SOL"],
  [/^ruijie|shanghai ruijie/i, "Ruijie"],
  [/totolink/i, "TOTOLINK"],
  [/^shenzhen c-data/i, "C-Data"],
  [/cudy/i, "Cudy"],
  [/^d-link/i, "D-Link"],
  [/^asus(tek)?\b/i, "ASUS"],
  [/oppo mobile/i, "OPPO"],
  [/^vivo mobile/i, "vivo"],
  [/^realme/i, "realme"],
  [/^hon hai/i, "Foxconn"],
  [/^hewlett packard|^hp inc/i, "HP"],
  [/^lg (electronics|innotek)/i, "LG"],
  [/^nokia/i, "Nokia"],
  [/^samsung/i, "Samsung"],
  [/^cisco-linksys|^linksys/i, "Linksys"],
  [/^cisco/i, "Cisco"],
  [/^motorola/i, "Motorola"],
  [/^tct mobile/i, "TCL"],
  [/^avm\b/i, "AVM"],
  [/hikvision/i, "Hikvision"],
  [/dahua technology/i, "Dahua"],
  [/^(facebook|meta platforms)/i, "Meta"],
  [/^hui zhou gaoshengda/i, "Gaoshengda"],
  [/^china mobile/i, "China Mobile"],
  [/^china telecom/i, "China Telecom"],
  [/^itel mobile/i, "itel"],
  [/^intel corp/i, "Intel"],
  [/^netgear/i, "NETGEAR"],
  [/^silicon laboratories/i, "Silicon Labs"],
];

/** Whose devices stand under other makers, or under none. */
const NOBODY = /^(ieee registration authority|private)$/i;
/** What stands before the name of many Chinese makers. */
const CITY =
  /^(shenzhen|shanghai|beijing|hangzhou|guangdong|guangzhou|sichuan|zhejiang|fujian|jiangsu|wuhan|chengdu|suzhou|dongguan|ningbo|xiamen|nanjing|chongqing|tianjin|qingdao|zhuhai|gd|hong kong|taicang) (?=\S{3})/i;
/** The form of the company. */
const FORM =
  /[\s,.(（-]+(co|ltd|limited|lt|inc|incorporated|llc|corp|corporation|corporate|company|gmbh|kg|ag|a\/s|ab|as|oy|oyj|bv|b\.v|nv|n\.v|sa|s\.a|sas|srl|s\.r\.l|spa|s\.p\.a|plc|pte|pvt|pty|sdn|bhd|kk|k\.k|llp|lp|&)\b[.,)）\s]*$/i;
/** Words that say no more than that it makes things. */
const TRADE =
  /[\s,.(（-]+(usa|international|int|intl|group|holdings?|technolog(y|ies)|tech|communications?|telecommunications?|telecom|electronics?|electric|systems?|networks?|networking|solutions?|devices?|mobile|mobility|computer|comp|industr(y|ies|ial)|ind|mfg|manufacturing|development|digital|wireless|smart|intelligent|science|and|laboratories|labs?|broadband|optoelectronics?|information|instruments?)\b[.,)）\s]*$/i;
/** What is no name without the word after it. */
const HALF_A_NAME =
  /^(china|texas|silicon|extreme|integrated|advanced|network|universal|digital|smart|palo alto|micro|wireless|intelligent|analog|control|cambridge|data|general|global|power|union|national|computer|optical|electronic|american|modern|new|first|pacific|.)$/i;

/** What a registered name is called in a table: "TP-LINK TECHNOLOGIES CO.,LTD." is TP-Link. Undefined for no maker. */
export function shortName(registered: string): string | undefined {
  const name = registered.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  if (name === "" || NOBODY.test(name)) return undefined;
  const known = KNOWN.find(([pattern]) => pattern.test(name));
  if (known) return known[1];
  const plain =
    name
      .replace(/\s*[(,;/].*$/, "")
      .replace(CITY, "")
      .trim() || name;
  const short = without(TRADE, without(FORM, plain)).replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})+]+$/gu, "");
  return cut(calm(short || name));
}

/** The name without such words at its end, as far as a name is left. */
function without(ending: RegExp, name: string): string {
  const shorter = name.replace(ending, "").trim();
  return shorter === name || shorter === "" || HALF_A_NAME.test(shorter) ? name : without(ending, shorter);
}

/** Not shouted: what is short is an abbreviation. */
function calm(name: string): string {
  if (name !== name.toUpperCase() || !/\p{L}{5}/u.test(name)) return name;
  return name.replaceAll(/\p{L}{4,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}

/** At the end of a word. */
const cut = (name: string) =>
  name.length <= 24
    ? name
    : name
        .slice(0, 25)
        .replace(/\s+\S*$/, "")
        .slice(0, 24);
