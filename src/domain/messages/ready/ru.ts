import type { Ready } from "./names.ts";

export const ru: Ready = {
  welcome: {
    subject: "Добро пожаловать в {{isp}}",
    body: "{{name}}, добро пожаловать в {{isp}}. Ваш логин: {{username}}. При оплате указывайте {{reference}}.\n{{contact}}",
  },
  payment_receipt: {
    subject: "Квитанция {{number}}",
    body: "{{isp}}: {{name}}, мы получили от вас {{amount}}. Квитанция {{number}}. Ваш баланс: {{balance}}.",
  },
  expires_soon: {
    subject: "Ваш интернет закончится {{date}}",
    body: "{{isp}}: {{name}}, ваш тариф {{package}} закончится {{expiration}}. Цена: {{price}}, ваш баланс: {{balance}}. Код платежа: {{reference}}.\n{{pay_link}}",
  },
  expired: {
    subject: "Ваш интернет закончился",
    body: "{{isp}}: {{name}}, ваш тариф {{package}} закончился {{expiration}}. Цена: {{price}}, ваш баланс: {{balance}}. Код платежа: {{reference}}.\n{{pay_link}}",
  },
  quota_80: {
    subject: "Использовано {{percent}} % трафика",
    body: "{{isp}}: {{name}}, использовано {{quota_used}} из {{quota_total}} ({{percent}} %).",
  },
  password_changed: {
    subject: "Ваш пароль изменён",
    body: "{{isp}}: пароль {{username}} изменён. Если это были не вы, сразу сообщите нам.\n{{contact}}",
  },
};
