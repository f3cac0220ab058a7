import type { WarningTexts } from './warningTexts.ts'

/** What the warnings and reasons of a preview say in Brazilian Portuguese. */
export const warnings: WarningTexts = {
  unknownAccount: 'uma conta desconhecida',
  sentences: {
    DRAINS: 'Quase tudo o que você tem disto iria para {value}, em troca de nada.',
    HIDDEN_TRANSFER: 'Sairia da sua conta mais do que a solicitação diz: iria para {value}.',
    HIDDEN_NEARLY_ALL: 'Quase tudo o que você tem disto iria para {value}. Compare com o que você receberia.',
    HIDDEN_PART: 'O que você envia vai para {value}. Compare com o que você recebe.',
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
    BEHAVES_DIFFERENTLY:
      'Isto se comporta de outra forma quando é observado. Depois de enviado, pode fazer algo diferente do que é mostrado.',
    MAY_KEEP: 'Este contrato não é conhecido. Ele pode ficar com até {value}.',
    REVERTS_UNKNOWN:
      'Isto falharia agora. O contrato não é conhecido e pode fazer outra coisa depois de enviado.',
    SPENDER_PUBLIC:
      'Qualquer um pode dar ordens a {value}. O primeiro a chegar poderia tomar o que você permitir.',
    UNKNOWN_STATEMENT: 'Não é possível entender o que esta assinatura permite.',
    TRANSFER_ELSEWHERE: 'Isto move o que você tem em outro serviço. Iria para {value}.',
    OTHER_NETWORK:
      'Esta transação não é para esta rede, ou expirou. Ela pode ser enviada em outra rede, onde não foi simulada.',
    NOT_GUARANTEED:
      'Quase tudo o que você tem disto iria para {value}. A solicitação não garante o que você receberia.',
    TABLE_INCOMPLETE:
      'Uma tabela ainda não contém todas as contas desta transação. Depois do envio, ela pode indicar contas diferentes das mostradas.',
    BORROWS: '{value} poderia tomar empréstimos em seu nome. A dívida seria sua.',
    OPERATION_OF_OTHER: 'Esta assinatura permite que qualquer pessoa envie chamadas pela conta {value}.',
    TOO_MUCH: 'Isto faz mais do que pode ser mostrado.',
  },
  causes: {
    CHAIN_UNAVAILABLE: 'A rede não responde',
    UNSUPPORTED: 'Os nós da rede não conseguem simular isto',
    NATIVE_LOW: 'A conta tem muito pouco do token nativo',
    FEE_LOW: 'A conta que paga a taxa não tem o suficiente para isso',
    TOKEN_LOW: 'A conta tem muito pouco do token',
    RENT_LOW: 'Restaria muito pouco a uma conta para existir',
    EXPIRED: 'Esta transação expirou',
    ALREADY_SENT: 'Esta transação já foi enviada',
    FROZEN: 'A conta do token está congelada',
    MALFORMED: 'A transação está malformada',
    TOO_LARGE: 'A transação é grande demais para um bloco',
    OTHER_NETWORK: 'A transação não é para esta rede, ou expirou',
  },
}
