// Generated from packages/texts/languages by make generate. Do not edit.

import { pluralsOf } from '../../format/plurals.ts'
import type { HandoffTexts } from '../types.ts'

const plural = pluralsOf('pt-BR')

/** The texts of the wallet page in Brazilian Portuguese. */
export const texts: HandoffTexts = {
  title: 'Conecte sua carteira',
  site: 'o site',
  loading: 'Carregando…',
  tryAgain: 'Tentar de novo',
  finding: { title: 'Procurando sua carteira' },
  noWallet: { title: 'Nenhuma carteira aqui', text: 'Este navegador não tem carteira. Abra este link no navegador do app da sua carteira.', copy: 'Copiar link', copied: 'Link copiado', notCopied: 'Copie o link daqui:' },
  choosing: { title: 'Qual carteira você quer usar?' },
  taken: { title: 'Aberto antes em outro lugar', text: 'Outro dispositivo abriu este link antes deste. Se não foi você, não confirme nada na outra tela. Peça um novo código no site.' },
  expired: { title: 'Este link expirou', text: 'Peça um novo código no site e escaneie-o.' },
  unreached: { title: 'Não foi possível conectar', text: 'Verifique sua conexão e tente de novo.' },
  comparing: { title: 'Compare os números', asks: (site) => `${site} quer se conectar à sua carteira.`, number: 'Seu número', question: 'A outra tela mostra o mesmo número?', confirm: 'Sim, é o mesmo', differ: 'Não, são diferentes', waiting: 'Aguardando a outra tela…' },
  waiting: { title: 'Confirme na outra tela', text: 'Depois sua carteira pergunta qual conta compartilhar.' },
  asking: { title: 'Continue na sua carteira', text: (site) => `Sua carteira pergunta qual conta compartilhar com ${site}.` },
  declined: { title: 'Não conectado', differ: 'Os números são diferentes: outra pessoa pode ter aberto o link. Nada foi compartilhado. Peça um novo código no site.', text: 'Nada foi compartilhado com o site.', unsupported: 'Sua carteira não tem nenhuma rede que o site usa.' },
  connected: { title: 'Conectado', keepOpen: 'Mantenha esta página aberta enquanto usa o site.', account: 'Conta', network: 'Rede', wallet: 'Carteira', disconnect: 'Desconectar', disconnectFrom: (site) => `Desconectar de ${site}`, notStored: 'Este navegador não guarda nada. A conexão termina quando esta página é fechada.', lost: 'Conexão perdida. Reconectando…', resumed: 'Conectado de novo', others: 'Outros sites' },
  ended: { title: 'Desconectado', text: 'Para conectar de novo, peça um novo código no site.' },
  request: { kind: { message: 'Assinar uma mensagem', data: 'Assinar dados', send: 'Enviar uma transação', transaction: 'Assinar uma transação', permission: 'Dar uma permissão', other: 'Pedido' }, asks: (site) => `${site} pede isto.`, give: 'Continuar na sua carteira', reject: 'Rejeitar', given: 'Confirme na sua carteira', more: (count) => plural(count, { one: 'Mais 1 pedido aguarda', other: `Mais ${count} pedidos aguardam` }), done: 'Pronto. Você pode continuar no site.', refused: 'Recusado. Nada foi assinado.', failed: 'Sua carteira não conseguiu fazer isto.', lost: 'A página foi recarregada enquanto sua carteira era consultada. Veja na carteira se foi feito.' },
  preview: { checking: 'Verificando o que isto faria…', unchecked: 'Não foi possível verificar. Isto pode fazer mais do que é mostrado.', fails: 'Isto falharia.', leaves: 'Você envia', arrives: 'Você recebe', mayTake: 'Pode gastar', mayNoLongerTake: 'Não pode mais gastar', all: (token) => `todos os ${token}`, tokens: 'tokens do contrato', baseUnits: 'unidades base', to: 'Para', amount: 'Valor', message: 'Mensagem', details: 'Detalhes', deploys: 'Cria um contrato' },
}
