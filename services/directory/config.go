package directory

// Config is the configuration under `directory`.
type Config struct {
	// File is the path of a list of wallets in the form of wallets.yaml.
	File string `yaml:"file" doc:"YAML file with the wallets that pages offer, in the form of services/directory/wallets.yaml; empty for that list"`
}
