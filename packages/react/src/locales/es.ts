export { es } from '@hawser/texts/locales/es'
