export { ptBR } from '@hawser/texts/locales/pt-BR'
