import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in Japanese. */
export const warnings: WarningTexts = {
  unknownAccount: '不明なアカウント',
  sentences: {
    DRAINS: '保有分のほぼすべてが、見返りなしに {value} に渡ります。',
    HIDDEN_TRANSFER: 'リクエストの内容より多くがアカウントから出ていき、{value} に渡ります。',
    HIDDEN_NEARLY_ALL: '保有分のほぼすべてが {value} に渡ります。受け取るものと比べてください。',
    HIDDEN_PART: '送るものは {value} に渡ります。受け取るものと比べてください。',
    UNLIMITED_APPROVAL: '{value} は、このトークンの保有分すべてをいつでも引き出せるようになります。',
    APPROVAL_FOR_ALL: '{value} は、このコレクションのすべてのトークンをいつでも引き出せるようになります。',
    SIGNED_APPROVAL:
      'この署名だけで {value} がトークンを引き出せます。あなたのトランザクションは必要ありません。',
    SPENDER_PERSON: '{value} は個人のアカウントであり、コントラクトではありません。',
    SPENDER_PERSON_NOT_PROGRAM: '{value} は個人のアカウントであり、プログラムのものではありません。',
    CODE_REPLACED: 'このコントラクトのコードが {value} のコードに置き換えられます。',
    CONTRACT_GIVEN: 'このコントラクトの所有者が {value} になります。',
    UNKNOWN_CODE: 'アカウントが不明なコードを実行します。保有するすべてを引き出される可能性があります。',
    IMITATION:
      'このトークンは別のトークンを模倣しているか、サイトを宣伝しています。価値がない可能性があります。',
    REVERTS: 'これは失敗し、手数料がかかります。',
    NOT_SIMULATED: 'シミュレーションできませんでした。表示より多くのことが行われる可能性があります。',
    UNKNOWN_FUNCTION: '何が呼び出されるかは不明です。',
    UNKNOWN_PROGRAM: '不明なプログラムを実行します。送信後に別のことを行う可能性があります。',
    DELEGATION: '{value} があなたのアカウントの代わりに操作できるようになります。',
    OPERATION: 'この署名により、誰でもあなたのアカウントとしてこれらの呼び出しを送信できます。',
    DURABLE_NONCE:
      'この署名には期限がありません。後からいつでも送信でき、その時には表示より多くのことが行われる可能性があります。',
    ORDER: 'あなたの資産を売りに出します。受け取るものを確認してください。',
    OTHER_SITE: 'これは {value} へのサインインです。リクエストしたサイトとは異なります。',
    OTHER_CHAIN: 'これは別のネットワーク（チェーン ID {value}）向けです。',
    BLIND: '署名する内容を表示できません。どのような内容である可能性もあります。',
    ACCOUNT_GIVEN: 'アカウント自体がプログラム {value} の所有になり、使えなくなります。',
    TOKEN_ACCOUNT_GIVEN: 'トークンアカウントが、その中身すべてとともに {value} の所有になります。',
    CLOSING_GIVEN: '{value} があなたのトークンアカウントを閉じ、その SOL を受け取れるようになります。',
    AUTHORITY_LOST: 'このトークンに対する権限を失います。',
    STAKE_GIVEN: '{value} が、このアカウントにあるすべてを引き出せるようになります。',
    ACCOUNT_CLOSED: 'トークンアカウントが閉じられ、その SOL は {value} に渡ります。',
    BEHAVES_DIFFERENTLY: '確認中だけ異なる動作をします。送信後は、表示と異なることを行う可能性があります。',
    MAY_KEEP: 'このコントラクトは不明です。最大で {value} が戻らない可能性があります。',
    REVERTS_UNKNOWN:
      '現時点では失敗します。コントラクトが不明なため、送信後に別のことを行う可能性があります。',
    SPENDER_PUBLIC:
      '{value} は誰でも操作できます。許可した分は、最初に操作した人に取られる可能性があります。',
    UNKNOWN_STATEMENT: 'この署名で何が許可されるかを判別できません。',
    TRANSFER_ELSEWHERE: '別のサービスに保有しているものを移動し、{value} に渡します。',
    OTHER_NETWORK:
      'この取引はこのネットワーク向けではないか、期限切れです。シミュレーションしていない別のネットワークで送信される可能性があります。',
    NOT_GUARANTEED:
      '保有分のほぼすべてが {value} に渡ります。見返りに受け取るものは、リクエストでは保証されていません。',
    TABLE_INCOMPLETE:
      'このトランザクションのアカウントの一部が、まだテーブルにありません。送信後は、表示とは別のアカウントになる可能性があります。',
    BORROWS: '{value} は、あなたの名義で借り入れできるようになります。返済するのはあなたです。',
    OPERATION_OF_OTHER: 'この署名があれば、誰でもアカウント {value} の呼び出しを送信できます。',
    TOO_MUCH: 'これは、表示できる以上のことを行います。',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'ネットワークが応答しません',
    UNSUPPORTED: 'ネットワークのノードではこれをシミュレーションできません',
    NATIVE_LOW: 'アカウントのネイティブトークンが不足しています',
    FEE_LOW: '手数料を支払うアカウントの残高が不足しています',
    TOKEN_LOW: 'アカウントのトークンが不足しています',
    RENT_LOW: 'アカウントの残高が、存続に必要な額を下回ります',
    EXPIRED: 'この取引は期限切れです',
    ALREADY_SENT: 'この取引はすでに送信されています',
    FROZEN: 'トークンアカウントが凍結されています',
    MALFORMED: '取引の形式が正しくありません',
    TOO_LARGE: '取引が大きすぎてブロックに収まりません',
    OTHER_NETWORK: 'この取引はこのネットワーク向けではないか、期限切れです',
  },
}
