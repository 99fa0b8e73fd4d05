import type { Ready } from "./names.ts";

export const id: Ready = {
  welcome: {
    subject: "Selamat datang di {{isp}}",
    body: "{{isp}}: selamat datang, {{name}}. Nama pengguna Anda: {{username}}. Sebutkan nomor referensi {{reference}} di setiap pembayaran.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Kuitansi {{number}}",
    body: "{{isp}}: {{name}}, pembayaran Anda sebesar {{amount}} sudah kami terima. Kuitansi: {{number}}. Saldo: {{balance}}.",
  },
  expires_soon: {
    subject: "Paket Anda berakhir pada {{date}}",
    body: "{{isp}}: {{name}}, paket {{package}} Anda berakhir pada {{expiration}}. Harga: {{price}}. Saldo: {{balance}}. Nomor referensi: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Paket Anda sudah berakhir",
    body: "{{isp}}: {{name}}, paket {{package}} Anda berakhir pada {{expiration}}. Harga: {{price}}. Saldo: {{balance}}. Nomor referensi: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}}% kuota Anda sudah terpakai",
    body: "{{isp}}: {{name}}, Anda sudah memakai {{quota_used}} dari kuota {{quota_total}} ({{percent}}%).",
  },
  password_changed: {
    subject: "Kata sandi Anda sudah diganti",
    body: "{{isp}}: kata sandi {{username}} sudah diganti. Jika bukan Anda yang menggantinya, segera hubungi kami.\n{{contact}}",
  },
  online_again: {
    subject: "Anda online sampai {{date}}",
    body: "{{isp}}: {{name}}, paket {{package}} Anda aktif sampai {{expiration}}. Saldo: {{balance}}.",
  },
  router_silent: {
    subject: "Router {{router}} tidak merespons",
    body: "{{isp}}: tidak ada lagi data dari router {{router}}. Periksa di konsol.",
  },
  router_back: {
    subject: "Router {{router}} kembali",
    body: "{{isp}}: router {{router}} merespons lagi.",
  },
  payment_unmatched: {
    subject: "Ada pembayaran yang perlu diperiksa",
    body: "{{isp}}: {{amount}} masuk lewat {{provider}} dan belum bisa dibukukan. Nomor referensi: {{reference}}.",
  },
};
