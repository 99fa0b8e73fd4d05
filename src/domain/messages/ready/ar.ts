import type { Ready } from "./names.ts";

export const ar: Ready = {
  welcome: {
    subject: "مرحبًا بك في {{isp}}",
    body: "مرحبًا بك في {{isp}} يا {{name}}. اسم الدخول: {{username}}. اكتب الرقم {{reference}} مع كل دفعة.\n{{contact}}",
  },
  payment_receipt: {
    subject: "إيصال {{number}}",
    body: "{{isp}}: استلمنا منك {{amount}} يا {{name}}. رقم الإيصال {{number}}. رصيدك {{balance}}.",
  },
  expires_soon: {
    subject: "ينتهي اشتراكك في {{date}}",
    body: "{{isp}}: {{name}}، تنتهي باقتك {{package}} في {{expiration}}. سعرها {{price}} ورصيدك {{balance}}. رقم الدفع: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "انتهى اشتراكك",
    body: "{{isp}}: {{name}}، انتهت باقتك {{package}} في {{expiration}}. سعرها {{price}} ورصيدك {{balance}}. رقم الدفع: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "استُهلك {{percent}} % من بياناتك",
    body: "{{isp}}: {{name}}، استهلكت {{quota_used}} من {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "تم تغيير كلمة المرور",
    body: "{{isp}}: تم تغيير كلمة مرور {{username}}. إن لم تكن أنت من غيّرها فأخبرنا فورًا.\n{{contact}}",
  },
};
