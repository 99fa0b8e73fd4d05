import type { Ready } from "./names.ts";

export const id: Ready = {
  welcome: {
    subject: "Selamat datang di {{isp}}",
    body: "Selamat datang di {{isp}}, {{name}}. Nama pengguna Anda {{username}}. Tulis {{reference}} pada setiap pembayaran.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Kuitansi {{number}}",
    body: "{{isp}}: pembayaran {{amount}} dari {{name}} sudah kami terima. Kuitansi {{number}}. Saldo Anda {{balance}}.",
  },
  expires_soon: {
    subject: "Internet Anda berakhir pada {{date}}",
    body: "{{isp}}: {{name}}, paket {{package}} Anda berakhir pada {{expiration}}. Harganya {{price}}, saldo Anda {{balance}}. Referensi: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Internet Anda sudah berakhir",
    body: "{{isp}}: {{name}}, paket {{package}} Anda berakhir pada {{expiration}}. Harganya {{price}}, saldo Anda {{balance}}. Referensi: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "{{percent}} % kuota Anda sudah terpakai",
    body: "{{isp}}: {{name}}, Anda sudah memakai {{quota_used}} dari {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Kata sandi Anda diubah",
    body: "{{isp}}: kata sandi {{username}} telah diubah. Jika bukan Anda yang mengubahnya, segera hubungi kami.\n{{contact}}",
  },
};
