package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/udp"
)

// newToken returns the token subcommand; now is what time it is.
func newToken(now func() time.Time) *cobra.Command {
	c := &cobra.Command{
		Use:   "token",
		Short: "Make and read the connect tokens of servers that want them",
		Long: "A server with sv.trust token lets in only who shows a connect token that was sealed\n" +
			"with the key in its sv.token_key. A matchmaker that has the same key makes one for\n" +
			"each player whom it sends; these commands do what it does. The format is described\n" +
			"in net/handshake/TOKEN.md.",
	}
	c.AddCommand(newTokenKeygen(), newTokenPubkey(), newTokenMint(now), newTokenShow(now))
	return c
}

func newTokenKeygen() *cobra.Command {
	return &cobra.Command{
		Use:   "keygen FILE",
		Short: "Draw a key for matchmaker and servers",
		Long:  "Writes a new key to FILE, which only its owner can read; an existing file is left alone.\nBoth matchmaker and servers need it, and nobody else may have it.",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			k, err := handshake.NewKey(nil) // 32 bytes by chance are a key
			if err != nil {
				return err
			}
			return writeSecret(args[0], handshake.TokenKeyText(k.Private))
		},
	}
}

func newTokenPubkey() *cobra.Command {
	return &cobra.Command{
		Use:   "pubkey FILE",
		Short: "Print the public key of a server's key file",
		Long:  "Reads the file of arenad -key and prints the public key, for mint --server-key: a client\nthat has it in its ticket need not take the server's word on first use.",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := readText(c, args[0])
			if err != nil {
				return err
			}
			k, err := handshake.ParseKey(text)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			fmt.Fprintln(c.OutOrStdout(), hex.EncodeToString(k.Public[:]))
			return nil
		},
	}
}

// mintFlags are what mint is called with.
type mintFlags struct {
	key, client, serverKey, out string
	servers                     []string
	user                        uint64
	life                        time.Duration
}

func newTokenMint(now func() time.Time) *cobra.Command {
	var f mintFlags
	c := &cobra.Command{
		Use:   "mint --key FILE --server host:port",
		Short: "Make a token for a player",
		Long: "Prints a ticket for arena -token: the token with a key pair that it names, made here.\n" +
			"With --client it prints the token alone, for a client that keeps its own pair.\n" +
			"A ticket is good for one connection, and is a secret of the player until then.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := mint(c.Context(), f, now())
			if err != nil {
				return err
			}
			if f.out != "" {
				return writeSecret(f.out, text)
			}
			fmt.Fprintln(c.OutOrStdout(), text)
			return nil
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.key, "key", "", "file with the key of matchmaker and servers")
	fs.StringSliceVar(&f.servers, "server", nil, fmt.Sprintf("where the token may be used: host:port, up to %d", handshake.MaxTokenServers))
	fs.Uint64Var(&f.user, "user", 0, "number by which the matchmaker knows the player; 0: nobody in particular")
	fs.DurationVar(&f.life, "life", 30*time.Second, fmt.Sprintf("how long it is good for, at most %d s", handshake.MaxTokenLife/1e9))
	fs.StringVar(&f.client, "client", "", "public key of the client, 64 hexadecimal digits; empty: a pair is made")
	fs.StringVar(&f.serverKey, "server-key", "", "public key of the server, for the ticket; empty: the client takes it from the server")
	fs.StringVarP(&f.out, "output", "o", "", "file to write to, instead of printing")
	_ = c.MarkFlagRequired("key")
	_ = c.MarkFlagRequired("server")
	return c
}

// mint makes the text of a ticket or of a token.
func mint(ctx context.Context, f mintFlags, at time.Time) (string, error) {
	data, err := os.ReadFile(f.key)
	if err != nil {
		return "", err
	}
	key, err := handshake.ParseTokenKey(string(data))
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.key, err)
	}
	tok := handshake.Token{User: f.user, Issued: at.UnixNano(), Expires: at.Add(f.life).UnixNano()}
	for _, name := range f.servers {
		a, err := udp.Resolve(ctx, name, defaultPort)
		if err != nil {
			return "", err
		}
		tok.Servers = append(tok.Servers, a)
	}
	var ticket handshake.Ticket
	if f.client == "" {
		if ticket.Client, err = handshake.NewKey(nil); err != nil {
			return "", err
		}
		tok.Client = ticket.Client.Public
	} else if tok.Client, err = publicKey(f.client); err != nil {
		return "", fmt.Errorf("--client: %w", err)
	}
	if f.serverKey != "" {
		if f.client != "" {
			return "", errors.New("--server-key is a part of a ticket; with --client there is none")
		}
		if ticket.Server, err = publicKey(f.serverKey); err != nil {
			return "", fmt.Errorf("--server-key: %w", err)
		}
	}
	sealed, err := tok.Seal(key, nil)
	if err != nil {
		return "", err
	}
	if f.client != "" {
		return handshake.TokenText(sealed), nil
	}
	ticket.Token = sealed
	return ticket.Text(), nil
}

func publicKey(digits string) (k [32]byte, err error) {
	b, err := hex.DecodeString(strings.TrimSpace(digits))
	if err != nil || len(b) != 32 {
		return k, errors.New("a public key is 64 hexadecimal digits")
	}
	return [32]byte(b), nil
}

// writeSecret makes a file that only its owner can read, and no other in its place.
func writeSecret(name, line string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already, and is left alone", name)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, line+"\n")
	return errors.Join(err, f.Close())
}

// maxText bounds what is read as a line of text; a ticket has some hundred bytes.
const maxText = 4096

// readText reads a file, or standard input where it is named "-".
func readText(c *cobra.Command, name string) (string, error) {
	in := c.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, maxText))
	return strings.TrimSpace(string(b)), err
}
