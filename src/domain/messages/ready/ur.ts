import type { Ready } from "./names.ts";

export const ur: Ready = {
  welcome: {
    subject: "{{isp}} میں خوش آمدید",
    body: "{{name}}، {{isp}} میں خوش آمدید۔ آپ کا لاگ ان {{username}} ہے۔ ادائیگی پر {{reference}} لکھیں۔\n{{contact}}",
  },
  payment_receipt: {
    subject: "رسید {{number}}",
    body: "{{isp}}: {{name}}، ہمیں آپ سے {{amount}} موصول ہوئے۔ رسید {{number}}۔ آپ کا بیلنس {{balance}} ہے۔",
  },
  expires_soon: {
    subject: "آپ کا انٹرنیٹ {{date}} کو ختم ہوگا",
    body: "{{isp}}: {{name}}، آپ کا پیکج {{package}} {{expiration}} کو ختم ہوگا۔ قیمت {{price}}، بیلنس {{balance}}۔ ادائیگی نمبر: {{reference}}۔\n{{pay_link}}",
  },
  expired: {
    subject: "آپ کا انٹرنیٹ ختم ہو گیا",
    body: "{{isp}}: {{name}}، آپ کا پیکج {{package}} {{expiration}} کو ختم ہو گیا۔ قیمت {{price}}، بیلنس {{balance}}۔ ادائیگی نمبر: {{reference}}۔\n{{pay_link}}",
  },
  quota_80: {
    subject: "آپ کا {{percent}} % ڈیٹا استعمال ہو چکا",
    body: "{{isp}}: {{name}}، آپ {{quota_total}} میں سے {{quota_used}} استعمال کر چکے ہیں ({{percent}} %)۔",
  },
  password_changed: {
    subject: "آپ کا پاس ورڈ بدل دیا گیا",
    body: "{{isp}}: {{username}} کا پاس ورڈ بدل دیا گیا ہے۔ اگر یہ آپ نے نہیں کیا تو ہمیں فوراً بتائیں۔\n{{contact}}",
  },
};
