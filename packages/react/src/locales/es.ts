export { es } from '@hawser/texts/modal/locales/es'
