export { ptBR } from '@hawser/texts/modal/locales/pt-BR'
