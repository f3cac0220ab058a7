// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('ar')

/** The texts of the wallet page in Arabic. */
export const texts: HandoffTexts = {
  title: 'اربط محفظتك',
  site: 'الموقع',
  loading: 'جارٍ التحميل…',
  tryAgain: 'إعادة المحاولة',
  finding: { title: 'جارٍ البحث عن محفظتك' },
  noWallet: { title: 'لا توجد محفظة هنا', text: 'لا توجد محفظة في هذا المتصفح. افتح هذا الرابط في متصفح تطبيق محفظتك.', copy: 'نسخ الرابط', copied: 'تم نسخ الرابط', notCopied: 'انسخ الرابط من هنا:' },
  choosing: { title: 'أي محفظة تريد استخدامها؟' },
  taken: { title: 'فُتح أولًا في مكان آخر', text: 'فتح جهاز آخر هذا الرابط قبل هذا الجهاز. إن لم تكن أنت من فتحه فلا تؤكد أي شيء على الشاشة الأخرى. احصل على رمز جديد من الموقع.' },
  expired: { title: 'انتهت صلاحية هذا الرابط', text: 'احصل على رمز جديد من الموقع وامسحه.' },
  unreached: { title: 'تعذّر الاتصال', text: 'تحقق من اتصالك وأعد المحاولة.' },
  comparing: { title: 'قارن بين الرقمين', asks: (site) => `يريد ${site} الارتباط بمحفظتك.`, number: 'رقمك', question: 'هل تعرض الشاشة الأخرى الرقم نفسه؟', confirm: 'نعم، هو نفسه', differ: 'لا، مختلفان', waiting: 'بانتظار الشاشة الأخرى…' },
  waiting: { title: 'أكِّد على الشاشة الأخرى', text: 'بعد ذلك تسألك محفظتك أي حساب تشارك.' },
  asking: { title: 'تابع في محفظتك', text: (site) => `تسأل محفظتك أي حساب تشارك مع ${site}.` },
  declined: { title: 'غير متصل', differ: 'الرقمان مختلفان، وربما فتح شخص آخر الرابط. لم تُشارَك أي معلومات. احصل على رمز جديد من الموقع.', text: 'لم تُشارَك أي معلومات مع الموقع.', unsupported: 'لا توجد في محفظتك أي شبكة يستخدمها الموقع.' },
  connected: { title: 'متصل', keepOpen: 'أبقِ هذه الصفحة مفتوحة أثناء استخدام الموقع.', account: 'الحساب', network: 'الشبكة', wallet: 'المحفظة', disconnect: 'قطع الاتصال', disconnectFrom: (site) => `قطع الاتصال مع ${site}`, notStored: 'لا يحفظ هذا المتصفح شيئًا. ينتهي الاتصال عند إغلاق هذه الصفحة.', lost: 'انقطع الاتصال. جارٍ إعادة الاتصال…', resumed: 'عاد الاتصال', others: 'مواقع أخرى' },
  ended: { title: 'تم قطع الاتصال', text: 'للاتصال مجددًا احصل على رمز جديد من الموقع.' },
  request: { kind: { message: 'توقيع رسالة', data: 'توقيع بيانات', send: 'إرسال معاملة', transaction: 'توقيع معاملة', permission: 'منح إذن', other: 'طلب' }, asks: (site) => `يطلب ${site} هذا.`, give: 'المتابعة في محفظتك', reject: 'رفض', given: 'أكِّد في محفظتك', more: (count) => plural(count, { one: 'طلب آخر ينتظر', two: 'طلبان آخران ينتظران', few: `${count} طلبات أخرى تنتظر`, other: `${count} طلبًا آخر ينتظر` }), done: 'تم. يمكنك المتابعة في الموقع.', refused: 'تم الرفض. لم يُوقَّع شيء.', failed: 'تعذّر على محفظتك تنفيذ هذا.', lost: 'أُعيد تحميل الصفحة أثناء سؤال محفظتك. تحقق في محفظتك مما إذا نُفِّذ الطلب.' },
  preview: { checking: 'جارٍ التحقق مما سيفعله هذا…', unchecked: 'تعذّر التحقق من هذا. قد يفعل أكثر مما هو معروض.', fails: 'سيفشل هذا.', leaves: 'ترسل', arrives: 'تستلم', mayTake: 'يمكنه إنفاق', mayNoLongerTake: 'لم يعد يمكنه إنفاق', all: (token) => `كل ${token}`, tokens: 'الرموز', baseUnits: 'وحدات أساسية', to: 'إلى', amount: 'المبلغ', message: 'الرسالة', details: 'التفاصيل', deploys: 'ينشئ عقدًا' },
}
