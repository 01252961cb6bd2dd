/* An ALSA sequencer that does nothing: Qtractor does not start without one, and a machine for tests has none. */
#include <alsa/asoundlib.h>
#include <unistd.h>
#include <string.h>
static int fds[2]; static int dummy;
int snd_seq_open(snd_seq_t **h, const char *n, int s, int m){ if(!strcmp(n,"hw")) return -2; if(!fds[0]) pipe(fds); *h=(snd_seq_t*)&dummy; return 0; }
int snd_seq_close(snd_seq_t*h){return 0;}
int snd_seq_client_id(snd_seq_t*h){return 128;}
int snd_seq_alloc_queue(snd_seq_t*h){return 0;}
int snd_seq_free_queue(snd_seq_t*h,int q){return 0;}
int snd_seq_control_queue(snd_seq_t*h,int q,int t,int v,snd_seq_event_t*e){return 0;}
int snd_seq_create_simple_port(snd_seq_t*h,const char*n,unsigned c,unsigned t){static int p; return p++;}
int snd_seq_delete_simple_port(snd_seq_t*h,int p){return 0;}
int snd_seq_drain_output(snd_seq_t*h){return 0;}
int snd_seq_drop_input(snd_seq_t*h){return 0;}
int snd_seq_drop_output(snd_seq_t*h){return 0;}
int snd_seq_event_input(snd_seq_t*h,snd_seq_event_t**e){*e=0;return -11;}
int snd_seq_event_input_pending(snd_seq_t*h,int f){return 0;}
int snd_seq_event_output(snd_seq_t*h,snd_seq_event_t*e){return 0;}
int snd_seq_event_output_direct(snd_seq_t*h,snd_seq_event_t*e){return 0;}
int snd_seq_get_any_client_info(snd_seq_t*h,int c,snd_seq_client_info_t*i){return -1;}
int snd_seq_get_any_port_info(snd_seq_t*h,int c,int p,snd_seq_port_info_t*i){return -1;}
int snd_seq_get_port_info(snd_seq_t*h,int p,snd_seq_port_info_t*i){return -1;}
int snd_seq_get_queue_status(snd_seq_t*h,int q,snd_seq_queue_status_t*s){return 0;}
int snd_seq_get_queue_tempo(snd_seq_t*h,int q,snd_seq_queue_tempo_t*s){return 0;}
int snd_seq_set_queue_tempo(snd_seq_t*h,int q,snd_seq_queue_tempo_t*s){return 0;}
int snd_seq_set_queue_timer(snd_seq_t*h,int q,snd_seq_queue_timer_t*s){return 0;}
int snd_seq_poll_descriptors_count(snd_seq_t*h,short e){return 1;}
int snd_seq_poll_descriptors(snd_seq_t*h,struct pollfd*p,unsigned n,short e){p[0].fd=fds[0];p[0].events=POLLIN;return 1;}
int snd_seq_query_next_client(snd_seq_t*h,snd_seq_client_info_t*i){return -1;}
int snd_seq_query_next_port(snd_seq_t*h,snd_seq_port_info_t*i){return -1;}
int snd_seq_query_port_subscribers(snd_seq_t*h,snd_seq_query_subscribe_t*s){return -1;}
int snd_seq_remove_events(snd_seq_t*h,snd_seq_remove_events_t*r){return 0;}
int snd_seq_set_client_name(snd_seq_t*h,const char*n){return 0;}
int snd_seq_set_port_info(snd_seq_t*h,int p,snd_seq_port_info_t*i){return 0;}
int snd_seq_subscribe_port(snd_seq_t*h,snd_seq_port_subscribe_t*s){return 0;}
int snd_seq_unsubscribe_port(snd_seq_t*h,snd_seq_port_subscribe_t*s){return 0;}
