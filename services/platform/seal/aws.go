package seal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/aws/smithy-go"
)

// awsKey is a symmetric key of AWS KMS.
type awsKey struct {
	client      *kms.Client
	credentials aws.CredentialsProvider
	arn         string
}

// OpenAWS returns the KEK of a key by its ARN. Credentials are those that the AWS SDK finds: keys in the environment, a shared configuration file, the role of a
// service account (IRSA) or of EKS Pod Identity, of a task of ECS, or of an instance of EC2. An empty address is that of AWS.
func OpenAWS(ctx context.Context, address, arn string) (KEK, error) {
	parts := strings.Split(arn, ":")
	if len(parts) < 6 || parts[0] != "arn" || parts[2] != "kms" || parts[3] == "" {
		return nil, fmt.Errorf("%q is not the ARN of a key of KMS", arn)
	}
	// A proxy of the environment would see the credentials.
	direct := awshttp.NewBuildableClient().WithTimeout(callTimeout).WithTransportOptions(func(t *http.Transport) { t.Proxy = nil })
	cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithRegion(parts[3]), awsconfig.WithHTTPClient(direct))
	if err != nil {
		return nil, fmt.Errorf("the configuration of AWS: %w", err)
	}
	client := kms.NewFromConfig(cfg, func(o *kms.Options) {
		o.HTTPClient = &newRemote().http
		if address != "" {
			o.BaseEndpoint = aws.String(strings.TrimSuffix(address, "/"))
		}
	})
	return &awsKey{client, cfg.Credentials, arn}, nil
}

// ID returns the ARN of the key.
func (k *awsKey) ID() string { return "aws:" + k.arn }

// encryptionContext returns the associated data as KMS takes it. The logs of AWS show it, so it is a hash.
func encryptionContext(aad []byte) map[string]string {
	sum := sha256.Sum256(aad)
	return map[string]string{"hawser": hex.EncodeToString(sum[:])}
}

// Wrap encrypts the key with KMS.
func (k *awsKey) Wrap(ctx context.Context, dek, aad []byte) (wrapped []byte, err error) {
	err = k.call(ctx, func(ctx context.Context) error {
		out, err := k.client.Encrypt(ctx, &kms.EncryptInput{KeyId: &k.arn, Plaintext: dek, EncryptionContext: encryptionContext(aad)})
		if err == nil {
			wrapped = out.CiphertextBlob
		}
		return err
	})
	return wrapped, err
}

// Unwrap decrypts the key with KMS.
func (k *awsKey) Unwrap(ctx context.Context, wrapped, aad []byte) (dek []byte, err error) {
	err = k.call(ctx, func(ctx context.Context) error {
		out, err := k.client.Decrypt(ctx, &kms.DecryptInput{KeyId: &k.arn, CiphertextBlob: wrapped, EncryptionContext: encryptionContext(aad)})
		if err == nil {
			dek = out.Plaintext
		}
		return err
	})
	return dek, err
}

// call runs one operation with its retries within callTimeout. Its error has the code of KMS's answer, not its text.
func (k *awsKey) call(ctx context.Context, operation func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := k.credentials.Retrieve(ctx); err != nil {
		return fmt.Errorf("%w: there are no credentials of AWS: %w", ErrUnavailable, err)
	}
	err := operation(ctx)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*types.InvalidCiphertextException](err); ok {
		return ErrTampered
	}
	if _, ok := errors.AsType[*types.IncorrectKeyException](err); ok {
		return ErrTampered
	}
	if answer, ok := errors.AsType[smithy.APIError](err); ok {
		return fmt.Errorf("%w: AWS KMS answers %s", ErrUnavailable, answer.ErrorCode())
	}
	return fmt.Errorf("%w: AWS KMS does not answer", ErrUnavailable)
}
