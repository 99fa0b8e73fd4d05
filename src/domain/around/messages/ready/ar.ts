import type { Ready } from "./names.ts";

export const ar: Ready = {
  welcome: {
    subject: "مرحبًا بك في {{isp}}",
    body: "{{isp}}: مرحبًا بك يا {{name}}. اسم المستخدم: {{username}}. الرقم المرجعي لكل دفعة: {{reference}}.\n{{contact}}",
  },
  payment_receipt: {
    subject: "إيصال {{number}}",
    body: "{{isp}}: {{name}}، وصلتنا دفعتك بمبلغ {{amount}}. رقم الإيصال: {{number}}. رصيدك: {{balance}}.",
  },
  expires_soon: {
    subject: "تنتهي باقتك في {{date}}",
    body: "{{isp}}: {{name}}، تنتهي باقتك {{package}} في {{expiration}}. السعر: {{price}}. رصيدك: {{balance}}. الرقم المرجعي: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "انتهت باقتك",
    body: "{{isp}}: {{name}}، انتهت باقتك {{package}} في {{expiration}}. السعر: {{price}}. رصيدك: {{balance}}. الرقم المرجعي: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "استُهلك {{percent}} بالمئة من بياناتك",
    body: "{{isp}}: {{name}}، استُهلك {{quota_used}} من أصل {{quota_total}} من بياناتك ({{percent}} بالمئة).",
  },
  password_changed: {
    subject: "تم تغيير كلمة المرور",
    body: "{{isp}}: تم تغيير كلمة مرور {{username}}. إن لم يكن ذلك بطلب منك فيُرجى إبلاغنا فورًا.\n{{contact}}",
  },
  online_again: {
    subject: "أنت متصل حتى {{date}}",
    body: "{{isp}}: {{name}}، باقتك {{package}} فعّالة حتى {{expiration}}. رصيدك: {{balance}}.",
  },
  router_silent: {
    subject: "الراوتر {{router}} لا يستجيب",
    body: "{{isp}}: لم يعد يصل شيء من الراوتر {{router}}. راجعه في لوحة التحكم.",
  },
  router_back: {
    subject: "عاد الراوتر {{router}}",
    body: "{{isp}}: عاد الراوتر {{router}} إلى الاستجابة.",
  },
  payment_unmatched: {
    subject: "دفعة تحتاج إلى مراجعة",
    body: "{{isp}}: وصل مبلغ {{amount}} عبر {{provider}} ولم يمكن تسجيله. الرقم المرجعي: {{reference}}.",
  },
};
