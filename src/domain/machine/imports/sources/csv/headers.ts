import {
  plainHeader,
  type PackageTarget,
  type RouterTarget,
  type SubscriberTarget,
  type TableKind,
  type Target,
} from "./columns.ts";
import { cutOffHeaders } from "./standing.ts";

/*
 * Known headers by target, separated by `|`: English (Zal Pro, Splynx, ProxPanel, SAS, ours), Spanish, Portuguese, French,
 * German, Italian, Turkish, Indonesian, Swahili, Russian, Arabic, Urdu, Hindi, Bengali.
 */
const rateHeaders = {
  rate_limit:
    "rate limit|rate|mikrotik rate limit|speed|bandwidth|velocidad|velocidade|vitesse|debit|geschwindigkeit|velocita|hiz|kecepatan|kasi|скорость|السرعة|رفتار|गति|গতি",
  download:
    "download|down|speed download|download speed|downrate|down rate|rate down|dl|bandwidth download|descarga|velocidad de descarga|bajada|velocidade de download|telechargement|debit descendant|debit download|download rate|indirme|indirme hizi|unduh|kecepatan unduh|скорость загрузки|входящая скорость|سرعة التحميل|التحميل",
  upload:
    "upload|up|speed upload|upload speed|uprate|up rate|rate up|ul|bandwidth upload|subida|velocidad de subida|carga|velocidade de upload|envoi|debit montant|debit upload|upload rate|yukleme|yukleme hizi|unggah|kecepatan unggah|скорость отдачи|исходящая скорость|سرعة الرفع|الرفع",
} as const;

const subscriberHeaders: Readonly<Record<SubscriberTarget, string>> = {
  username:
    "service login|pppoe username|username|user name|user|login|login name|service login|user id|userid|pppoe username|pppoe user|pppoe login|pppoe name|radius username|radius login|account|account name|subscriber username|user login|usuario|nombre de usuario|nombre usuario|usuario pppoe|utilizador|nome de usuario|nome de utilizador|usuario pppoe|utilisateur|nom d utilisateur|nom utilisateur|identifiant|benutzer|benutzername|nutzername|kennung|utente|nome utente|kullanici|kullanici adi|pengguna|nama pengguna|nama user|jina la mtumiaji|mtumiaji|логин|имя пользователя|пользователь|учетная запись|اسم المستخدم|المستخدم|اسم الدخول|اليوزر|یوزر نیم|صارف نام|یوزر|صارف کا نام|उपयोगकर्ता नाम|यूज़रनेम|यूजरनेम|उपयोगकर्ता|ব্যবহারকারীর নাম|ইউজারনেম|ব্যবহারকারী",
  password:
    "password|pass|passwd|pwd|service password|pppoe password|pppoe pass|radius password|secret|user password|contrasena|clave|clave pppoe|senha|palavra passe|palavra chave|senha pppoe|mot de passe|mdp|passwort|kennwort|parola|sifre|kata sandi|sandi|nywila|nenosiri|пароль|كلمة المرور|كلمة السر|الرقم السري|باسورد|پاس ورڈ|پاسورڈ|पासवर्ड|পাসওয়ার্ড",
  name: "name|full name|fullname|customer name|subscriber name|client name|display name|customer|subscriber|client|nombre|nombre completo|cliente|nombre del cliente|nombre cliente|abonado|nome|nome completo|nome do cliente|assinante|nom|nom complet|nom et prenom|nom client|nom du client|client|abonne|kunde|kundenname|vollstandiger name|intestatario|nome cliente|nominativo|ad soyad|adi soyadi|musteri|musteri adi|abone|abone adi|nama|nama lengkap|nama pelanggan|pelanggan|jina|jina kamili|mteja|имя|фио|ф и о|абонент|клиент|полное имя|الاسم|الاسم الكامل|اسم المشترك|اسم العميل|المشترك|العميل|نام|پورا نام|صارف|नाम|पूरा नाम|ग्राहक|ग्राहक का नाम|নাম|পুরো নাম|গ্রাহক|গ্রাহকের নাম",
  first_name:
    "first name|firstname|given name|forename|nombres|primer nombre|primeiro nome|prenom|vorname|ad|nama depan|jina la kwanza|الاسم الاول|पहला नाम",
  last_name:
    "last name|lastname|surname|family name|apellido|apellidos|sobrenome|apelido|ultimo nome|nom de famille|nachname|familienname|cognome|soyad|soyadi|nama belakang|jina la mwisho|фамилия|اسم العائلة|اللقب|उपनाम",
  nic_number:
    "identity number|id no|identity no|nic no|national id no|passport no|nic|nic number|cnic|cnic number|national id|id number|identity|identity card|identification|nid|nid number|passport|passport number|id card|tax id|vat id|documento|dni|cedula|ci|nit|rut|curp|documento de identidad|numero de documento|identificacion|cpf|cpf cnpj|cnpj|bi|nif|cin|piece d identite|numero d identite|cni|carte d identite|ausweisnummer|personalausweis|codice fiscale|tc kimlik|tc kimlik no|tc no|kimlik no|nik|no ktp|ktp|nomor ktp|kitambulisho|nambari ya kitambulisho|паспорт|номер паспорта|инн|رقم الهوية|الهوية|رقم البطاقة|الرقم الوطني|رقم القومي|شناختی کارڈ|شناختی کارڈ نمبر|आधार|आधार संख्या|पहचान संख्या|জাতীয় পরিচয়পত্র|পরিচয়পত্র নম্বর",
  mobile_number:
    "mobile|mobile number|mobile no|mobile phone|cell|cell phone|cellphone|cell number|whatsapp|whatsapp number|phone mobile|movil|telefono movil|numero de movil|celular|numero celular|telemovel|numero de celular|portable|telephone portable|numero de portable|gsm|mobil|handy|handynummer|mobilnummer|cellulare|cep telefonu|cep no|hp|no hp|nomor hp|no handphone|handphone|nambari ya simu ya mkononi|simu ya mkononi|мобильный|мобильный телефон|сотовый|الجوال|رقم الجوال|الموبايل|رقم الموبايل|النقال|موبائل|موبائل نمبر|मोबाइल|मोबाइल नंबर|মোবাইল|মোবাইল নম্বর",
  phone_number:
    "phone|phone number|phone no|telephone|tel|contact|contact number|contact no|landline|home phone|phone home|telefono|numero de telefono|telefono fijo|telefone|telefone fixo|fone|numero de telefone|numero de telephone|fixe|telefon|telefonnummer|rufnummer|telefon no|telefon numarasi|telepon|no telepon|no telp|nomor telepon|simu|nambari ya simu|телефон|номер телефона|тел|الهاتف|رقم الهاتف|تلفون|هاتف|فون|فون نمبر|फ़ोन|फोन|फ़ोन नंबर|फोन नंबर|ফোন|ফোন নম্বর",
  email:
    "email|e mail|mail|email address|e mail address|billing email|correo|correo electronico|e mail adresse|adresse e mail|adresse email|courriel|adresse mail|correio eletronico|endereco de email|indirizzo email|eposta|e posta|surel|alamat email|barua pepe|почта|эл почта|электронная почта|البريد|البريد الالكتروني|الايميل|ای میل|ईमेल|ই মেইল|ইমেইল",
  address:
    "address|street|street address|address line 1|address line 2|street 1|street 2|street1|street2|home address|installation address|billing street|zip|zip code|postal code|postcode|billing zip code|direccion|domicilio|calle|codigo postal|endereco|morada|rua|logradouro|cep|adresse|rue|code postal|anschrift|strasse|plz|postleitzahl|indirizzo|via|cap|adres|posta kodu|alamat|kode pos|anwani|адрес|улица|индекс|почтовый индекс|العنوان|الشارع|الرمز البريدي|پتہ|पता|ঠিকানা",
  city: "city|town|billing city|ciudad|localidad|municipio|cidade|ville|commune|stadt|ort|citta|comune|sehir|il|kota|kabupaten|jiji|mji|город|населенный пункт|المدينة|مدينة|شہر|शहर|শহর",
  area: "area|zone|district|region|neighborhood|neighbourhood|location|location name|sector|barrio|zona|bairro|distrito|quartier|secteur|bezirk|stadtteil|quartiere|ilce|mahalle|semt|bolge|kecamatan|wilayah|daerah|eneo|mtaa|район|зона|المنطقة|الحي|علاقہ|क्षेत्र|इलाका|এলাকা",
  subarea:
    "subarea|sub area|subzone|sub zone|block|subzona|sub bairro|sous secteur|kelurahan|desa|микрорайон|квартал|الحارة|ذیلی علاقہ|ব্লক",
  branch:
    "branch|office|partner|partner name|sucursal|filial|agence|succursale|filiale|sube|cabang|tawi|филиал|офис|الفرع|فرع|شاخ|برانچ|शाखा|শাখা",
  package:
    "package|package id|package name|plan|plan id|plan name|plan title|tariff|tariff id|tariff name|tariff plan|tariff plan id|internet plan|service plan|service|service name|services|srvname|profile|profile name|product|bundle|subscription|groupname|group|paquete|plan de internet|plan contratado|plano|pacote|plano de internet|forfait|abonnement|offre|formule|tarif|paket|paketname|produkt|pacchetto|piano|tariffa|paket adi|tarife|hizmet|layanan|nama paket|kifurushi|mpango|тариф|тарифный план|пакет|план|услуга|الباقة|اسم الباقة|الخدمة|الاشتراك|البروفايل|پیکج|پیکیج|पैकेज|प्लान|योजना|প্যাকেজ",
  package_price:
    "package price|plan price|monthly fee|monthly price|monthly charge|price|tariff price|unit price|mrc|rate monthly|fee|precio|mensualidad|cuota|tarifa mensual|valor|valor do plano|mensalidade|preco|prix|prix mensuel|mensualite|preis|monatspreis|grundgebuhr|prezzo|canone|fiyat|ucret|aylik ucret|harga|harga paket|biaya|bei|цена|стоимость|абонплата|абонентская плата|السعر|سعر الباقة|قیمت|मूल्य|कीमत|শুল্ক|মূল্য",
  ...rateHeaders,
  expires_at:
    "expiration date|expiration|expiry|expiry date|expire|expire date|expires|expires at|expired at|expires on|expiring|valid until|valid till|valid to|validity|end date|end time|service end date|current expiration date|due date|subscription end|paid until|vencimiento|fecha de vencimiento|fecha vencimiento|vence|caduca|fecha de expiracion|fecha fin|vencimento|data de vencimento|data vencimento|validade|expira em|expiration le|date d expiration|date expiration|date de fin|echeance|valable jusqu au|ablaufdatum|ablauf|gultig bis|laufzeitende|scadenza|data di scadenza|data scadenza|bitis|bitis tarihi|son kullanma tarihi|sona erme tarihi|kadaluarsa|tanggal kadaluarsa|tanggal berakhir|masa aktif|jatuh tempo|tanggal jatuh tempo|tarehe ya mwisho|mwisho|muda wa kuisha|дата окончания|окончание|истекает|действует до|срок действия|оплачено до|تاريخ الانتهاء|الانتهاء|تاريخ انتهاء|ينتهي في|انتهاء الاشتراك|تاریخ اختتام|میعاد ختم|ختم ہونے کی تاریخ|समाप्ति तिथि|समाप्ति|वैधता|মেয়াদ|মেয়াদ শেষ|মেয়াদ উত্তীর্ণ",
  status:
    "status|state|enabled|active|is active|is enabled|customer status|service status|profile status|account status|estado|activo|habilitado|situacao|ativo|statut|etat|actif|aktiv|stato|attivo|durum|durumu|aktif|hali|состояние|статус|активен|الحالة|حالة|الحالة النشطة|حیثیت|حالت|स्थिति|অবস্থা|স্ট্যাটাস",
  disabled: cutOffHeaders,
  connection:
    "connection type|connection type id|connection|service type|access type|authentication|login type|type of connection|tipo de conexion|tipo de conexao|type de connexion|verbindungsart|anschlussart|tipo di connessione|baglanti tipi|baglanti turu|jenis koneksi|tipe koneksi|aina ya muunganisho|тип подключения|نوع الاتصال|کنکشن کی قسم|कनेक्शन प्रकार|সংযোগের ধরন",
  router:
    "nas|nas id|nas name|router|router id|router name|nas ip|nas ip address|server|mikrotik|bras|access server|enrutador|roteador|routeur|yonlendirici|kipanga njia|маршрутизатор|роутер|الراوتر|راوتر|السيرفر|راؤٹر|राउटर|রাউটার",
  static_ip:
    "static ip|static ip address|ip|ip address|ipv4|ipv4 address|ip v4|framed ip address|framed ip|remote address|fixed ip|taking ipv4|direccion ip|ip fija|ip estatica|endereco ip|ip fixo|ip estatico|adresse ip|ip fixe|ip adresse|feste ip|indirizzo ip|ip statico|ip adresi|sabit ip|alamat ip|ip statis|anwani ya ip|ip адрес|статический ip|عنوان ip|ip ثابت|آئی پی|आईपी पता|আইপি",
  mac_address:
    "mac|mac address|mac addresses|mac addr|macs|cpe mac|calling station id|caller id|callingstationid|hardware address|direccion mac|endereco mac|adresse mac|mac adresse|indirizzo mac|mac adresi|alamat mac|anwani ya mac|мак адрес|mac адрес|عنوان mac|ماك|عنوان الماك|میک ایڈریس|मैक पता|ম্যাক",
  mac_lock:
    "mac lock|mac locked|lock mac|bind mac|mac bind|mac binding|bloquear mac|mac bloqueada|verrouiller mac|mac sperre|mac kilidi",
  balance:
    "balance|credit|wallet|deposit|account balance|saldo|saldo actual|credito|saldo atual|solde|credit restant|guthaben|kontostand|saldo|bakiye|saldo pelanggan|salio|баланс|остаток|счет|الرصيد|رصيد|بیلنس|शेष राशि|बैलेंस|ব্যালেন্স",
  auto_renew:
    "auto renew|autorenew|auto renewal|automatic renewal|renovacion automatica|renovacao automatica|renouvellement automatique|automatische verlangerung|otomatik yenileme|perpanjangan otomatis|автопродление|تجديد تلقائي",
  salesperson:
    "salesperson|reseller|agent|dealer|owner|parent|manager|seller|created by|vendedor|revendedor|agente|revendeur|vendeur|handler|verkaufer|rivenditore|bayi|satici|agen|penjual|wakala|агент|дилер|продавец|الوكيل|الموزع|المندوب|ایجنٹ|डीलर|এজেন্ট",
  global_note:
    "note|notes|comment|comments|remark|remarks|description|observation|nota|notas|comentario|comentarios|observaciones|observacoes|observacao|remarque|remarques|commentaire|commentaires|notiz|notizen|bemerkung|bemerkungen|kommentar|not|notlar|aciklama|catatan|keterangan|maelezo|примечание|комментарий|заметка|ملاحظات|ملاحظة|نوٹ|टिप्पणी|নোট|মন্তব্য",
  box_number:
    "box|box number|odb|odp|nap|splitter|fdb|fat|caja|caja nap|caixa|cto|boitier|kutu|коробка|صندوق|العلبة",
  box_address: "box address|odp address|direccion de caja|endereco da caixa",
  uplink_port: "port|uplink port|port number|odp port|puerto|porta|anschluss|порт|المنفذ",
  coordinates:
    "gps|coordinates|geo|geo data|geolocation|gps coordinates|lat long|latlng|lat lon|coordenadas|coordonnees|koordinaten|coordinate|koordinat|координаты|الاحداثيات|الموقع",
  latitude: "latitude|lat|latitud|breitengrad|latitudine|enlem|lintang|широта|خط العرض",
  longitude: "longitude|lon|lng|long|longitud|langengrad|longitudine|boylam|bujur|долгота|خط الطول",
  framed_ipv6_prefix: "framed ipv6 prefix|ipv6|ipv6 prefix|ipv6 address",
  delegated_ipv6_prefix: "delegated ipv6 prefix|ipv6 delegated|delegated prefix|ipv6 delegated prefix",
  quota_used:
    "quota used|used quota|data used|traffic used|usage|consumo|consommation|verbrauch|kullanim|pemakaian|потребление|الاستهلاك",
  created_at:
    "created at|created|date added|added|creation date|registration date|registered|registered at|join date|joined|connection date|installation date|date add|fecha de alta|fecha de registro|fecha alta|data de cadastro|data cadastro|data de criacao|date de creation|date d inscription|angelegt am|erstellt am|data creazione|kayit tarihi|olusturma tarihi|tanggal daftar|tanggal pasang|tarehe ya kujiunga|дата создания|дата регистрации|дата подключения|تاريخ الانشاء|تاريخ التسجيل|تاریخ اندراج|पंजीकरण तिथि|যোগদানের তারিখ",
  customer:
    "customer id|customer no|customer number|client id|subscriber id|id customer|customerid|id cliente|codigo cliente|numero de cliente|codigo do cliente|id client|numero client|kundennummer|kunden id|codice cliente|musteri no|id pelanggan|no pelanggan|nambari ya mteja|номер клиента|лицевой счет|رقم العميل|رقم المشترك|id|#|№|no",
};

const packageHeaders: Readonly<Record<PackageTarget, string>> = {
  key: "id|package id|plan id|tariff id|code|srvid|codigo|kod|kode|код|الرقم",
  name: "name|package|package name|plan|plan name|title|tariff|tariff name|service name|srvname|profile|profile name|product|nombre|paquete|nome|plano|pacote|nom|forfait|offre|tarif|paket|nome pacchetto|paket adi|nama|nama paket|kifurushi|название|тариф|пакет|الباقة|اسم الباقة|الاسم|پیکج|پیکیج|पैकेज|প্যাকেজ",
  price:
    "price|unit price|cost|amount|plan cost|monthly price|fee|precio|valor|costo|preco|prix|tarif mensuel|preis|prezzo|fiyat|harga|bei|цена|стоимость|السعر|قیمت|मूल्य|মূল্য",
  ...rateHeaders,
  duration:
    "duration|validity|period|days|months|valid days|duracion|vigencia|dias|duracao|validade|duree|jours|laufzeit|dauer|durata|sure|gun|durasi|masa aktif|muda|длительность|срок|дней|المدة|الايام|میعاد|अवधि|মেয়াদ",
  duration_unit:
    "duration unit|validity unit|period unit|unit|unidad|unidade|unite|einheit|unita|birim|satuan|единица|الوحدة",
  data_quota:
    "quota|data quota|data quota bytes|data limit|traffic limit|data cap|cap|volume|fup|cuota de datos|limite de datos|franquia|limite de dados|quota de donnees|volume de donnees|datenvolumen|kota|kuota|квота|трафик|الحصة|الكوتا|ڈیٹا",
  billing_type:
    "billing type|payment type|tipo de facturacion|tipo de cobranca|type de facturation|abrechnung|odeme tipi|тип оплаты|نوع الدفع",
  simultaneous_use:
    "simultaneous use|shared users|max sessions|sessions|devices|dispositivos|appareils|gerate|cihaz|perangkat|устройства|الاجهزة",
  framed_pool: "framed pool|pool|ip pool|pool name|ip pool name|пул",
  address_list: "address list|mikrotik address list",
  status: "status|enabled|active|estado|statut|durum|статус|الحالة",
};

const routerHeaders: Readonly<Record<RouterTarget, string>> = {
  key: "id|nas id|router id|nasid",
  name: "name|router|router name|nas name|shortname|short name|title|nombre|nome|nom|ad|nama|название|الاسم|نام|नाम|নাম",
  address:
    "address|ip|ip address|nasname|nas ip|host|ip host|router ip|direccion|direccion ip|endereco ip|adresse ip|ip adresse|indirizzo ip|ip adresi|alamat ip|ip адрес|адрес|العنوان",
  secret:
    "secret|radius secret|shared secret|nas secret|secreto|segredo|secret partage|geheimnis|segreto|секрет|المفتاح السري",
};

interface Found {
  readonly target: Target;
  readonly rank: number;
}

type Known = ReadonlyMap<string, Found>;

type Headers = Readonly<Partial<Record<Target, string>>>;

const headersByKind: Readonly<Record<TableKind, Headers>> = {
  subscribers: subscriberHeaders,
  people: subscriberHeaders,
  packages: packageHeaders,
  routers: routerHeaders,
};
const tables = new Map<TableKind, Known>();

/** Headers of a table, indexed on first use. */
function indexTable(kind: TableKind): Known {
  const known = tables.get(kind) ?? index(headersByKind[kind]);
  tables.set(kind, known);
  return known;
}

function index(headers: Headers): Known {
  const found = new Map<string, Found>();
  for (const [target, words] of Object.entries(headers) as [Target, string][])
    for (const [rank, word] of words.split("|").entries()) {
      const plain = plainHeader(word);
      if (!found.has(plain)) found.set(plain, { target, rank });
    }
  return found;
}

/** Words for whose something is. */
const OF_WHOM = new Set(
  "customer|client|subscriber|user|account|service|cliente|usuario|abonado|assinante|abonne|kunde|musteri|abone|pelanggan|mteja|абонент|клиент|المشترك|العميل".split(
    "|",
  ),
);

/** `exact`: the header itself, not only its words. */
export function findTarget(kind: TableKind, header: string): (Found & { exact: boolean }) | undefined {
  const known = indexTable(kind);
  const plain = plainHeader(withoutUnit(header));
  const exact = known.get(plain) ?? known.get(plainHeader(header));
  if (exact) return { ...exact, exact: true };
  const words = plain.split(" ");
  if (words.includes("id") || words.includes("portal")) return undefined; // a number, or a login, of something else
  for (let length = words.length - 1; length > 0; length--)
    for (let from = words.length - length; from >= 0; from--) {
      const part = words.slice(from, from + length).join(" ");
      const found = part.length > 2 && !OF_WHOM.has(part) ? known.get(part) : undefined;
      // "Plan speed" is a plan's name
      if (found && (kind === "packages" || !Object.hasOwn(rateHeaders, found.target)))
        return { target: found.target, rank: 1000 + found.rank, exact: false };
    }
  return undefined;
}

/** `Download (kbps)` without the brackets. */
function withoutUnit(header: string): string {
  return header.replace(/[([].*?[)\]]/g, " ");
}
