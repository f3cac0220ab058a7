import type { WarningTexts } from './warningTexts.ts'

/** What the warnings of a preview say in Brazilian Portuguese. */
export const warnings: WarningTexts = {
  unknownAccount: 'uma conta desconhecida',
  sentences: {
    DRAINS: 'Quase tudo o que você tem disto iria para {value}, em troca de nada.',
    HIDDEN_TRANSFER: 'Sairia da sua conta mais do que a solicitação diz: iria para {value}.',
    HIDDEN_NEARLY_ALL: 'Quase tudo o que você tem disto iria para {value}. Compare com o que você receberia.',
    HIDDEN_PART: 'Isto iria para {value}, o que a solicitação não diz. Compare com o que você receberia.',
    UNLIMITED_APPROVAL: '{value} poderia retirar tudo o que você tem deste token, a qualquer momento.',
    APPROVAL_FOR_ALL: '{value} poderia retirar todos os tokens desta coleção, a qualquer momento.',
    SIGNED_APPROVAL:
      'Só esta assinatura já permite que {value} retire tokens. Nenhuma transação sua é necessária.',
    SPENDER_PERSON: '{value} é a conta de uma pessoa, não um contrato.',
    SPENDER_PERSON_NOT_PROGRAM: '{value} é a conta de uma pessoa, não de um programa.',
    CODE_REPLACED: 'O código deste contrato seria substituído pelo código em {value}.',
    CONTRACT_GIVEN: 'Este contrato pertenceria a {value}.',
    UNKNOWN_CODE: 'Sua conta executaria um código desconhecido. Ele poderia retirar tudo o que você possui.',
    IMITATION: 'Este token imita outro ou anuncia um site. Pode não valer nada.',
    REVERTS: 'Isto falharia e custaria sua taxa.',
    NOT_SIMULATED: 'Não foi possível simular. Pode fazer mais do que é mostrado.',
    UNKNOWN_FUNCTION: 'O que isto chama não é conhecido.',
    UNKNOWN_PROGRAM: 'Isto executa um programa desconhecido. Depois de enviado, ele pode fazer outra coisa.',
    DELEGATION: '{value} poderia agir pela sua conta.',
    OPERATION: 'Esta assinatura permite que qualquer um envie estas chamadas pela sua conta.',
    DURABLE_NONCE:
      'Esta assinatura não expira. Ela pode ser enviada a qualquer momento depois, e então fazer mais do que é mostrado.',
    ORDER: 'Isto põe à venda o que você possui. Confira o que você receberia.',
    OTHER_SITE: 'Isto entra em {value}, que não é o site que o solicita.',
    OTHER_CHAIN: 'Isto é para outra rede, com o ID de rede {value}.',
    BLIND: 'O que isto assina não pode ser mostrado. Pode ser qualquer coisa.',
    ACCOUNT_GIVEN: 'Sua própria conta pertenceria ao programa {value}. Você não poderia mais usá-la.',
    TOKEN_ACCOUNT_GIVEN: 'Sua conta de token pertenceria a {value}, com tudo o que há nela.',
    CLOSING_GIVEN: '{value} poderia fechar sua conta de token e retirar os SOL dela.',
    AUTHORITY_LOST: 'Você perderia um direito sobre este token.',
    STAKE_GIVEN: '{value} poderia sacar tudo o que há nesta sua conta.',
    ACCOUNT_CLOSED: 'Sua conta de token seria fechada. Os SOL dela iriam para {value}.',
  },
}
