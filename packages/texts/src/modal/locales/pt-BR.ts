import { defineLocale } from '../defineLocale.ts'

/** Brazilian Portuguese. */
export const ptBR = defineLocale(
  {
    tag: 'pt-BR',
    direction: 'ltr',
    buttons: {
      connect: 'Conectar carteira',
      connecting: 'Conectando…',
      account: 'Conta',
      selectNetwork: 'Escolher rede',
      switchNetwork: 'Trocar de rede',
    },
  },
  () => import('./texts/pt-BR.ts'),
)
