import type { WarningTexts } from './warningTexts.ts'

/** What the warnings of a preview say in Arabic. */
export const warnings: WarningTexts = {
  unknownAccount: 'حساب غير معروف',
  sentences: {
    DRAINS: 'سيذهب كل ما تملكه من هذا تقريبًا إلى {value} دون مقابل.',
    HIDDEN_TRANSFER: 'سيخرج من حسابك أكثر مما يقوله الطلب: سيذهب إلى {value}.',
    HIDDEN_NEARLY_ALL: 'سيذهب كل ما تملكه من هذا تقريبًا إلى {value}. قارنه بما ستتسلمه.',
    HIDDEN_PART: 'سيذهب هذا إلى {value}، والطلب لا يذكر ذلك. قارنه بما ستتسلمه.',
    UNLIMITED_APPROVAL: 'سيحق لـ {value} أخذ كل ما تملكه من هذا الرمز في أي وقت.',
    APPROVAL_FOR_ALL: 'سيحق لـ {value} أخذ كل رموز هذه المجموعة في أي وقت.',
    SIGNED_APPROVAL: 'هذا التوقيع وحده يتيح لـ {value} أخذ رموز. لا حاجة إلى أي معاملة منك.',
    SPENDER_PERSON: '{value} حساب شخص وليس عقدًا.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} حساب شخص وليس حساب برنامج.',
    CODE_REPLACED: 'سيُستبدل كود هذا العقد بالكود الموجود في {value}.',
    CONTRACT_GIVEN: 'سيصبح هذا العقد ملكًا لـ {value}.',
    UNKNOWN_CODE: 'سيشغّل حسابك كودًا غير معروف، وقد يأخذ كل ما تملكه.',
    IMITATION: 'هذا الرمز يقلّد رمزًا آخر أو يعلن عن موقع. قد يكون بلا قيمة.',
    REVERTS: 'سيفشل هذا ويكلّف رسومه.',
    NOT_SIMULATED: 'تعذّرت محاكاة هذا. قد يفعل أكثر مما هو معروض.',
    UNKNOWN_FUNCTION: 'ما يستدعيه هذا غير معروف.',
    UNKNOWN_PROGRAM: 'يشغّل هذا برنامجًا غير معروف. قد يفعل شيئًا آخر بعد إرساله.',
    DELEGATION: 'سيتمكن {value} من التصرف نيابة عن حسابك.',
    OPERATION: 'يتيح هذا التوقيع لأي شخص إرسال هذه الاستدعاءات نيابة عن حسابك.',
    DURABLE_NONCE:
      'لا تنتهي صلاحية هذا التوقيع. يمكن إرساله في أي وقت لاحق، وقد يفعل حينها أكثر مما هو معروض.',
    ORDER: 'يعرض هذا ما تملكه للبيع. تحقق مما ستتسلمه.',
    OTHER_SITE: 'يسجّل هذا الدخول إلى {value}، وهو ليس الموقع الذي طلبه.',
    OTHER_CHAIN: 'هذا لشبكة أخرى، معرّف سلسلتها {value}.',
    BLIND: 'ما يوقّعه هذا لا يمكن عرضه. قد يكون أي شيء.',
    ACCOUNT_GIVEN: 'سيصبح حسابك نفسه ملكًا للبرنامج {value}، ولن تستطيع استخدامه بعد ذلك.',
    TOKEN_ACCOUNT_GIVEN: 'سيصبح حساب الرمز لديك ملكًا لـ {value} مع كل ما فيه.',
    CLOSING_GIVEN: 'سيتمكن {value} من إغلاق حساب الرمز لديك وأخذ ما فيه من SOL.',
    AUTHORITY_LOST: 'ستفقد صلاحية على هذا الرمز.',
    STAKE_GIVEN: 'سيتمكن {value} من سحب كل ما في حسابك هذا.',
    ACCOUNT_CLOSED: 'سيُغلق حساب الرمز لديك، ويذهب ما فيه من SOL إلى {value}.',
  },
}
